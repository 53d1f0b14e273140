import { Command } from '@commander-js/extra-typings';
import { counted, KrisisError, plain } from '../core/index.ts';
import { type CheckedFile, checkRubricFile } from '../suites/index.ts';
import { print } from './print.ts';

const INVALID = 2;
const FOUND = 1;

/** `krisis rubric check FILE`: what is wrong with a rubric, and what could be better. */
export function rubricCommand() {
  const check = new Command('check')
    .description('check a rubric, or the rubrics of a file of questions')
    .argument(
      '<file>',
      'a rubric (.yaml, .json), a file of questions (.yaml, .json, .jsonl), or a bundled suite',
    )
    .option('--strict', 'exit code 1 when there is anything to improve')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText(
      'after',
      '\nExit codes: 0 valid, 1 valid with findings under --strict, 2 invalid.\n\nExamples:\n  krisis rubric check rubric.yaml\n  krisis rubric check open/clinical --strict\n',
    )
    .action(async (file, { strict, json }) => {
      const checked = await checkRubricFile(file).catch((error: unknown) => {
        if (!json || !(error instanceof KrisisError)) throw error;
        return error;
      });
      if (checked instanceof KrisisError) {
        process.exitCode = INVALID;
        return print(json, { file, valid: false, problem: checked.message }, '');
      }
      if (strict && checked.findings.length > 0) process.exitCode = FOUND;
      print(json, checkedObject(file, checked), checkedText(file, checked));
    });
  return new Command().addCommand(check);
}

function checkedObject(file: string, { kind, hash, counts, findings }: CheckedFile) {
  return {
    file,
    valid: true,
    kind,
    hash,
    n_questions: counts.questions,
    n_traits: counts.traits,
    n_items: counts.items,
    findings,
  };
}

function checkedText(file: string, { kind, counts, findings }: CheckedFile): string {
  const what = kind === 'questions' ? `${counted(counts.questions!, 'question')}, ` : '';
  const lines = [
    `${file}: valid; ${what}${counted(counts.traits, 'trait')}, ${counted(counts.items, 'item')}`,
    ...findings.map(
      ({ code, where, message, suggestion }) =>
        `! ${plain(where)}: ${plain(message)}\n    ${code}: ${plain(suggestion)}`,
    ),
    findings.length === 0 ? 'nothing to improve' : counted(findings.length, 'finding'),
  ];
  return `${lines.join('\n')}\n`;
}
