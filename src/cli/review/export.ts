import { Command } from '@commander-js/extra-typings';
import { snakeKeys } from '../../core/index.ts';
import { findRun, RunFile } from '../../store/index.ts';
import { readReview, reviewPath } from '../../store/review/index.ts';
import { printMessage } from '../print.ts';
import { noteSensitivity } from '../protected-data.ts';
import { writeOutput } from '../write-output.ts';

/** `krisis review export`: every label as it was given, one JSON object a line. */
export function exportCommand() {
  return new Command('export')
    .description('write all labels as JSONL, including superseded ones')
    .argument('<run>', 'run file, part of its name, or latest')
    .option('-o, --output <file>', 'write to a file (default: standard output)')
    .option('--include-text', 'include notes and reasons of protected runs')
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', '\nExamples:\n  krisis review export latest -o labels.jsonl\n')
    .action(async (run, { output, includeText, force }) => {
      const path = findRun(run);
      const { sensitivity } = RunFile.use(path, (file) => file.manifest());
      noteSensitivity({ sensitivity });
      const isHidden = (sensitivity ?? 'protected') === 'protected' && !includeText;
      const { events, raters } = readReview(reviewPath(path));
      const names = new Map(raters.map(({ id, name }) => [id, name]));
      const lines = events.map((event) => {
        const text = isHidden ? { reason: null, note: null } : {};
        return `${JSON.stringify(snakeKeys({ ...event, ...text, raterName: names.get(event.rater) ?? null }))}\n`;
      });
      await writeOutput(lines, output, force ?? false);
      printMessage(
        `${events.length} labels${isHidden ? ', without notes and reasons: the run is protected (--include-text adds them)' : ''}\n`,
      );
    });
}
