import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import { KrisisError } from '../core/errors.ts';
import { counted } from '../core/wording.ts';
import {
  HEALTHBENCH_SUBSETS,
  type HealthBenchSubset,
  type HealthBenchSuite,
  questionFileText,
  readHealthBench,
} from '../suites/questions/healthbench.ts';
import { print } from './print.ts';
import { noteSensitivity } from './protected-data.ts';
import { checkOutput, writeOutput } from './write-output.ts';

const NOTES = `
Subsets: consensus keeps the criteria tagged level:cluster; hard only names the
suite, since it is a separate file.

Examples:
  krisis runs import healthbench FILE.jsonl --sensitivity public
  krisis runs import healthbench FILE.jsonl --subset consensus -o consensus.yaml
  krisis run healthbench-all.jsonl -m MODEL --judge JUDGE --set grader=healthbench
`;

const MAX_LEFT_OUT = 5;

/** `krisis runs import healthbench FILE`: makes a file of open questions from conversations with criteria. */
export function importHealthBenchCommand() {
  return new Command('healthbench')
    .description('make a suite of open questions from a HealthBench file')
    .argument('<file>', 'conversations with criteria (JSONL)')
    .option('-o, --output <file>', 'a .jsonl or .yaml file, or a folder (default: healthbench-SUBSET.jsonl)')
    .addOption(
      new Option('--subset <name>', 'which criteria and conversations (default: all)').choices(
        HEALTHBENCH_SUBSETS,
      ),
    )
    .option('--name <suite>', 'name of the suite (default: healthbench/SUBSET)')
    .addOption(
      new Option('--sensitivity <kind>', 'sensitivity of the conversations (default: protected)').choices([
        'protected',
        'public',
        'synthetic',
      ] as const),
    )
    .option('--force', 'overwrite an existing file')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', NOTES)
    .action(async (source, _, command) => {
      // `krisis runs import` takes options that have the same name there.
      const { output, force = false, json, subset = 'all', name, sensitivity } = command.optsWithGlobals();
      const target = outputFile(output, subset);
      checkOutput(target, force);
      const suite = await readHealthBench(source, { subset, name, sensitivity });
      noteSensitivity(suite.file);
      await writeOutput(questionFileText(suite.file, inferFormat(target)), target, force);
      print(json, 'import', importObject(suite, source, target), importText(suite, source, target));
    });
}

function outputFile(output: string | undefined, subset: HealthBenchSubset): string {
  const name = `healthbench-${subset}.jsonl`;
  if (output === undefined) return name;
  if (existsSync(output) && statSync(output).isDirectory()) return join(output, name);
  inferFormat(output);
  return output;
}

function inferFormat(file: string): 'jsonl' | 'yaml' {
  if (/\.jsonl$/i.test(file)) return 'jsonl';
  if (/\.ya?ml$/i.test(file)) return 'yaml';
  throw new KrisisError(`${file}: a file of questions ends in .jsonl or .yaml`, {
    code: 'ERR_OUTPUT',
    value: file,
  });
}

function importObject(suite: HealthBenchSuite, source: string, file: string) {
  const { name, sensitivity, questions } = suite.file;
  return {
    source,
    file,
    suite: name,
    sensitivity,
    n_questions: questions.length,
    n_multi_turn: suite.nMultiTurn,
    n_wanted: suite.nWanted,
    n_harmful: suite.nHarmful,
    n_merged: suite.nMerged,
    left_out: suite.leftOut,
  };
}

function importText(suite: HealthBenchSuite, source: string, file: string): string {
  const { name, sensitivity, questions } = suite.file;
  const { nMultiTurn, nWanted, nHarmful, nMerged, leftOut } = suite;
  const more = leftOut.length - MAX_LEFT_OUT;
  const lines = [
    `${source}: ${counted(questions.length, 'conversation')}, ${nMultiTurn} of several turns; ${criteria(nWanted + nHarmful)}, ${nWanted} wanted and ${nHarmful} harmful`,
    ...(nMerged > 0
      ? [`! ${criteria(nMerged)} repeated another of the conversation: merged, with the points of both`]
      : []),
    ...leftOut
      .slice(0, MAX_LEFT_OUT)
      .map(({ id, line, reason }) => `! left out: ${id} (line ${line}): ${reason}`),
    ...(more > 0 ? [`! and ${more} more left out; --json lists them`] : []),
    `wrote ${file}: suite ${name}, ${sensitivity}`,
    ...(sensitivity === 'protected' ? [PROTECTED] : []),
    `next: krisis run ${file} --model MODEL --judge JUDGE --set grader=healthbench`,
  ];
  return `${lines.join('\n')}\n`;
}

const PROTECTED =
  'protected: neither conversations nor answers are stored or sent without your consent; for published data add --sensitivity public';

function criteria(n: number): string {
  return `${n} ${n === 1 ? 'criterion' : 'criteria'}`;
}
