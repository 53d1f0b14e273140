import { basename } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { plain } from '../core/index.ts';
import { verificationLines } from '../reports/index.ts';
import { exportBundle, findRun, importBundle, RUNS_FOLDER, verifyRun } from '../store/index.ts';
import { printText } from './print.ts';

/** `krisis bundle`: a run to take along. */
export function bundleCommand() {
  const exporting = new Command('export')
    .description('write a run as one portable file, without patient data unless asked')
    .argument('<run>', 'a run file, or a part of its name')
    .option('-o, --output <file>', 'where to (default: the name of the run, ending in .krisis)')
    .option('--include-features', 'with what the model was shown of each patient')
    .option('--force', 'write over an existing file')
    .addHelpText(
      'after',
      '\nExamples:\n  krisis bundle export latest\n  krisis bundle export my-run -o my-run.krisis\n',
    )
    .action((run, { output, includeFeatures, force }) => {
      const path = findRun(run);
      const target = output ?? `${basename(path, '.db')}.krisis`;
      exportBundle(path, target, { withFeatures: includeFeatures ?? false, force: force ?? false });
      printText(`wrote ${target}${includeFeatures ? '' : ' (without patient data)'}\n`);
    });
  const importing = new Command('import')
    .description('take a bundle into the runs of this folder')
    .argument('<file>', 'a bundle')
    .option('--force', 'write over an existing run')
    .addHelpText('after', '\nExamples:\n  krisis bundle import my-run.krisis\n')
    .action((file, { force }) => {
      const path = importBundle(file, RUNS_FOLDER, force ?? false);
      const [verdict] = verificationLines(verifyRun(path));
      printText(`imported as ${path}\n${plain(verdict!)}\n`);
    });
  return new Command('bundle')
    .description('export or import a run as one file')
    .addCommand(exporting)
    .addCommand(importing);
}
