import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { delimitedRows, detectDelimiter, fileDecoder, UnclosedQuote } from '../../core/delimited/index.ts';
import { checkRegularFile, isObject, KrisisError, whyUnreadable } from '../../core/index.ts';
import { parseYaml, readText } from '../../rubrics/index.ts';
import { DOMAINS } from '../../suites/domains/index.ts';
import { CONFIG_NAMES, loadConfig, SECTION_NAMES } from '../config/load-config.ts';
import { docsPage } from '../docs-page.ts';
import type { ConfigFlags } from '../options/config-options.ts';
import { checkAnswers } from './check-answers.ts';
import { checkConfig } from './check-config.ts';
import { checkQuestions } from './check-questions.ts';
import { checkRecordedAnswers } from './check-recorded-answers.ts';
import { checkRunFile } from './check-run-file.ts';
import { checkTableSuite } from './check-table-suite.ts';
import { type CheckedFile, problemsIn } from './checked-file.ts';

const HEAD_BYTES = 1 << 16;

const DATA_FILES = DOMAINS.flatMap(({ dataFile }) => dataFile ?? []);

/** Finds out what a file is, and checks it as that. A suite may name metrics of the config. */
export async function checkFile(path: string, flags: ConfigFlags): Promise<CheckedFile> {
  // Data files that are joined are given as for --data: with commas between them.
  const first = path.includes(',') && !existsSync(path) ? path.split(',')[0]!.trim() : path;
  const head = headOf(first);
  if (first !== path) {
    const meant = await dataFilesWith(first, headerOf(head, first));
    if (meant.length > 0) return checkData(path, meant);
  }
  if (head.startsWith('SQLite format 3')) return checkRunFile(path);
  if (CONFIG_NAMES.some((name) => path.endsWith(name)) || /\.[mc]?[jt]s$/i.test(path))
    return checkConfig(path, flags);
  if (/\.ya?ml$/i.test(path)) return checkYaml(path, flags);
  const isRecorded =
    /\.(jsonl|ndjson)$/i.test(path) && /"answer"\s*:/.test(head.slice(0, head.indexOf('\n')));
  if (isRecorded && !/"(prediction|ground_truth|rubric|[a-z]+_traits)"\s*:/.test(head))
    return checkRecordedAnswers(path);
  if (/\.jsonl?$|\.ndjson$/i.test(path) && /"question(s|_text)?"\s*:/.test(head.slice(0, 500)))
    return checkQuestions(path);
  if (/\.json$/i.test(path) && /"(metric|llm|regex|callable|length)_traits"\s*:/.test(head))
    return checkQuestions(path);
  if (/\.(csv|tsv|tab|txt)$/i.test(path) || DATA_FILES.some((file) => hasEnding(path, file)))
    return checkDelimited(path, head);
  return attempt('answers', 'Answers of a model.', () => checkAnswers(path));
}

/** A YAML file is known by its keys. */
async function checkYaml(path: string, flags: ConfigFlags): Promise<CheckedFile> {
  let content: unknown;
  try {
    content = parseYaml(await readText(path, 'a YAML file'), path, 'ERR_SUITE_DEFINITION');
  } catch (error) {
    const { problems, n } = problemsIn(error);
    return { kind: 'yaml', problems, nProblems: n, text: ['A YAML file.'], json: {} };
  }
  const mapping = isObject(content) ? content : {};
  const keys = Object.keys(mapping);
  if (keys.includes('questions') || keys.some((key) => key.endsWith('_traits'))) return checkQuestions(path);
  const nIn = (known: readonly string[]) => keys.filter((key) => known.includes(key)).length;
  if (nIn(SECTION_NAMES) > 0 && nIn(['name', 'file', 'label']) === 0) return checkConfig(path, flags);
  const { metrics } = await loadConfig(flags);
  return checkTableSuite(path, mapping as Readonly<Record<string, unknown>>, metrics ?? []);
}

/** A table is known by its columns: those of answers, or of a published data file. */
async function checkDelimited(path: string, head: string): Promise<CheckedFile> {
  const header = headerOf(head, path);
  const names = header.map((name) => name.toLowerCase().replace(/[^a-z]+/g, '_'));
  if (names.includes('prediction') || names.includes('ground_truth'))
    return attempt('answers', 'Answers of a model.', () => checkAnswers(path));
  const meant = await dataFilesWith(path, header);
  if (meant.length > 0) return checkData(path, meant);
  const columns = header.slice(0, 12).join(', ') + (header.length > 12 ? ', ...' : '');
  return {
    kind: 'table',
    problems: [
      `no column is prediction or ground_truth, so these are not answers that can be scored as they are (krisis score FILE --columns prediction=NAME,ground_truth=NAME), and a table of cases needs a suite that says what its columns are (krisis init table; see ${docsPage('your-own-data.md')})`,
    ],
    text: [`A table with ${header.length} columns: ${columns}.`],
    json: { columns: header },
  };
}

type DataFile = (typeof DATA_FILES)[number];

/** The data files that a file is meant to be, by its name or its columns. What has no columns at all is checked as the first, which says what it expects. */
async function dataFilesWith(path: string, header: readonly string[]): Promise<readonly DataFile[]> {
  const named = DATA_FILES.filter((file) => hasEnding(path, file));
  if (named.length > 0) return named;
  if (header.length < 2) return DATA_FILES.slice(0, 1);
  const isMeant = await Promise.all(DATA_FILES.map(({ hasColumns }) => hasColumns(header)));
  return DATA_FILES.filter((_, i) => isMeant[i]);
}

function hasEnding(path: string, { endings = [] }: DataFile): boolean {
  return endings.some((ending) => path.toLowerCase().endsWith(`.${ending}`));
}

/** A file that several domains read is reported on by each of them; what they say alike is said once. */
async function checkData(path: string, meant: readonly DataFile[]): Promise<CheckedFile> {
  const problems = new Set<string>();
  const text = new Set<string>();
  const json: Record<string, unknown> = {};
  for (const { check } of meant) {
    const found = await check(path).catch((error: unknown) => ({
      problems: problemsIn(error).problems,
      text: ['A data file.'],
      json: {},
    }));
    for (const problem of found.problems) problems.add(problem);
    for (const line of found.text) text.add(line);
    Object.assign(json, found.json);
  }
  return { kind: 'data', problems: [...problems], text: [...text], json };
}

async function attempt(kind: string, text: string, check: () => Promise<CheckedFile>): Promise<CheckedFile> {
  try {
    return await check();
  } catch (error) {
    const { problems, n } = problemsIn(error);
    return { kind, problems, nProblems: n, text: [text], json: {} };
  }
}

/** The beginning of a file as text; an error where it cannot be read at all. */
function headOf(path: string): string {
  try {
    checkRegularFile(path);
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(HEAD_BYTES);
      const decoder = fileDecoder(path);
      return decoder.write(bytes.subarray(0, readSync(file, bytes)));
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    if (cause instanceof KrisisError) return '';
    const why = whyUnreadable(cause).replace(/^no such file/, 'there is no such file');
    throw new KrisisError(`${path}: ${why}; expected a file to check`, {
      code: 'ERR_FILE_UNREADABLE',
      value: path,
      cause,
    });
  }
}

function headerOf(head: string, path: string): readonly string[] {
  try {
    for (const { cells } of delimitedRows([head], detectDelimiter(head, path))) return cells;
  } catch (error) {
    if (!(error instanceof UnclosedQuote || error instanceof KrisisError)) throw error;
  }
  return [];
}
