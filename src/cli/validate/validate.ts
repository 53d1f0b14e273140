import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { fileDecoder } from '../../core/delimited/decode-text.ts';
import { delimitedRows, detectDelimiter, UnclosedQuote } from '../../core/delimited/rows.ts';
import { KrisisError, whyUnreadable } from '../../core/errors.ts';
import { plain } from '../../core/plain-text.ts';
import { checkRegularFile } from '../../core/regular-file.ts';
import { counted } from '../../core/wording.ts';
import { DOMAINS } from '../../domains/domains.ts';
import { recogniseFormat } from '../../files/read-results.ts';
import { parseYaml, readText } from '../../rubrics/rubric.ts';
import { RunFile } from '../../store/run-file.ts';
import { recogniseSet, setWithoutSuite } from '../../suites/draft-table-suite.ts';
import { checkRubricFile } from '../../suites/questions/check-file.ts';
import { isHealthBenchProfessional } from '../../suites/questions/healthbench.ts';
import { isKareninaCheckpoint, readKareninaCheckpoint } from '../../suites/questions/karenina.ts';
import { CONFIG_NAMES, loadConfig } from '../config/load-config.ts';
import { SECTION_NAMES } from '../config/read-config.ts';
import type { ConfigFlags } from '../options/option.ts';
import { docsPage } from '../package-files.ts';
import { noteSensitivity } from '../protected-data.ts';
import { checkAnswers } from './check-answers.ts';
import { checkConfig } from './check-config.ts';
import { checkTableSuite } from './check-table-suite.ts';
import { attempt, type CheckedFile, problemsIn } from './checked-file.ts';

const MAX_LISTED = 20;

const DATA_TITLES = new Set(DOMAINS.flatMap(({ dataFile }) => dataFile?.title ?? []));

/** What a file is, and everything that is wrong with it, at once. */
export async function checkFile(
  file: string,
  flags: ConfigFlags,
): Promise<CheckedFile & { readonly report: string }> {
  const found = await checkByKind(file, flags);
  const n = found.nProblems ?? found.problems.length;
  return { ...found, nProblems: n, report: `${plain(file)}: ${reportText(found, n)}` };
}

/** The titles of the data files that suites read. */
export const DATA_FILE_TITLES = [...DATA_TITLES].join(', ');

function reportText({ problems, text }: CheckedFile, n: number): string {
  const listed = problems.slice(0, MAX_LISTED);
  const found =
    n === 0
      ? ['no problems']
      : [
          `${counted(n, 'problem')}:`,
          ...listed.map((line) => `  ${line}`),
          ...(n > listed.length ? [`  and ${n - listed.length} more`] : []),
        ];
  return `${[...text, ...found].map(plain).join('\n')}\n`;
}

const HEAD_BYTES = 1 << 16;

const DATA_FILES = DOMAINS.flatMap(({ dataFile }) => dataFile ?? []);

/** Finds out what a file is, and checks it as that. A suite may name metrics of the config. */
async function checkByKind(path: string, flags: ConfigFlags): Promise<CheckedFile> {
  if (recogniseFormat(path) !== null) return checkAnswers(path);
  // Data files that are joined are given as for --data: with commas between them.
  const first = path.includes(',') && !existsSync(path) ? path.split(',')[0]!.trim() : path;
  const head = readHead(first);
  if (first !== path) {
    const meant = await dataFilesWith(first, readHeader(head, first));
    if (meant.length > 0) return checkData(path, meant);
  }
  if (head.startsWith('SQLite format 3')) return checkRunFile(path);
  if (CONFIG_NAMES.some((name) => path.endsWith(name)) || /\.[mc]?[jt]s$/i.test(path))
    return checkConfig(path, flags);
  if (/\.ya?ml$/i.test(path)) return checkYaml(path, flags);
  const set = /\.(jsonl?|ndjson|csv|tsv)(\.gz)?$/i.test(path) ? recogniseSet(path) : null;
  if (set !== null)
    return {
      kind: 'question_set',
      problems: [setWithoutSuite(path, set)],
      text: ['A question set.'],
      json: {},
    };
  const isRecorded =
    /\.(jsonl|ndjson)$/i.test(path) && /"answer"\s*:/.test(head.slice(0, head.indexOf('\n')));
  if (isRecorded && !/"(prediction|ground_truth|rubric|[a-z]+_traits)"\s*:/.test(head))
    return checkRecordedAnswers(path);
  if (/\.jsonl?$|\.ndjson$/i.test(path) && /"question(s|_text)?"\s*:/.test(head.slice(0, 500)))
    return checkQuestions(path);
  if (/\.json$/i.test(path) && /"(metric|llm|regex|callable|length)_traits"\s*:/.test(head))
    return checkQuestions(path);
  if (isKareninaCheckpoint(head) || isHealthBenchProfessional(head)) return checkQuestions(path);
  if (/\.(csv|tsv|tab|txt)$/i.test(path) || DATA_FILES.some((file) => hasEnding(path, file)))
    return checkDelimited(path, head);
  return checkAnswers(path);
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
  const mapping = typeof content === 'object' && content !== null && !Array.isArray(content) ? content : {};
  const keys = Object.keys(mapping);
  if (keys.includes('questions') || keys.some((key) => key.endsWith('_traits'))) return checkQuestions(path);
  const nIn = (known: readonly string[]) => keys.filter((key) => known.includes(key)).length;
  if (nIn(SECTION_NAMES) > 0 && nIn(['name', 'file', 'label']) === 0) return checkConfig(path, flags);
  const { metrics } = await loadConfig(flags);
  return checkTableSuite(path, mapping as Readonly<Record<string, unknown>>, metrics ?? []);
}

/** A table is known by its columns: those of answers, or of a published data file. */
async function checkDelimited(path: string, head: string): Promise<CheckedFile> {
  const header = readHeader(head, path);
  const names = header.map((name) => name.toLowerCase().replace(/[^a-z]+/g, '_'));
  if (names.includes('prediction') || names.includes('ground_truth')) return checkAnswers(path);
  const meant = await dataFilesWith(path, header);
  if (meant.length > 0) return checkData(path, meant);
  const columns = header.slice(0, 12).join(', ') + (header.length > 12 ? ', ...' : '');
  return {
    kind: 'table',
    problems: [
      `no column is prediction or ground_truth, so these are not answers that can be scored as they are (krisis score FILE --columns prediction=NAME,ground_truth=NAME), and a table of cases needs a suite that says what its columns are (krisis init table ${path} --label COLUMN; see ${docsPage('your-own-data.md')})`,
    ],
    text: [`A table with ${header.length} columns: ${columns}.`],
    json: { columns: header },
  };
}

/** The data files that a file is meant to be, by its name or its columns. What has no columns at all is checked as the first, which says what it expects. */
async function dataFilesWith(path: string, header: readonly string[]): Promise<typeof DATA_FILES> {
  const named = DATA_FILES.filter((file) => hasEnding(path, file));
  if (named.length > 0) return named;
  if (header.length < 2) return DATA_FILES.slice(0, 1);
  const isMeant = await Promise.all(DATA_FILES.map(({ hasColumns }) => hasColumns(header)));
  return DATA_FILES.filter((_, i) => isMeant[i]);
}

function hasEnding(path: string, { endings = [] }: (typeof DATA_FILES)[number]): boolean {
  return endings.some((ending) => path.toLowerCase().endsWith(`.${ending}`));
}

/** A file that several domains read is reported on by each of them; what they say alike is said once. */
async function checkData(path: string, meant: typeof DATA_FILES): Promise<CheckedFile> {
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

/** The beginning of a file as text; an error where it cannot be read at all. */
function readHead(path: string): string {
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

function readHeader(head: string, path: string): readonly string[] {
  try {
    for (const { cells } of delimitedRows([head], detectDelimiter(head, path))) return cells;
  } catch (error) {
    if (!(error instanceof UnclosedQuote || error instanceof KrisisError)) throw error;
  }
  return [];
}

/** Checks a file of open questions, or a rubric. */
function checkQuestions(path: string): Promise<CheckedFile> {
  return attempt('questions', 'Open questions, or a rubric.', async () => {
    const { kind, counts, findings, hash } = await checkRubricFile(path);
    const content = /\.jsonld$/i.test(path) ? await readText(path, 'a checkpoint of Karenina') : '';
    const notes = isKareninaCheckpoint(content) ? readKareninaCheckpoint(content, path).notes : [];
    const { questions, traits, items } = counts;
    const what = questions === null ? 'A rubric:' : `Open questions: ${counted(questions, 'question')},`;
    const hints =
      findings.length === 0
        ? ''
        : ` ${counted(findings.length, 'thing')} could be better: krisis check ${path} lists them.`;
    return {
      kind,
      problems: [],
      text: [`${what} ${counted(traits, 'trait')}, ${counted(items, 'item')}.${hints}`, ...notes],
      json: { hash, n_questions: questions, n_traits: traits, n_items: items, n_findings: findings.length },
    };
  });
}

/** Opens a run file. Whether it was changed is for `krisis runs verify`. */
function checkRunFile(path: string): Promise<CheckedFile> {
  const kind = 'run';
  return attempt(kind, 'A run file, or another database.', () =>
    RunFile.use(path, (file) => {
      const manifest = file.manifest();
      noteSensitivity(manifest);
      const n = file.records.count() * manifest.identity.repeats;
      const nRows = [...file.rows.countStates()].reduce((sum, [, count]) => sum + count, 0);
      const { suiteName: suite, model } = manifest;
      return {
        kind,
        problems: [],
        text: [
          `A run file: ${suite ?? 'an unknown suite'}, ${model ?? 'an unknown model'}, ${file.status()}, ${nRows} of ${n} rows. krisis runs verify ${path} checks whether it was changed.`,
        ],
        json: { suite, model, status: file.status(), rows: nRows },
      };
    }),
  );
}

/** Checks answers to open questions that were recorded elsewhere: JSONL of an id and an answer, for `krisis judge --answers`. */
async function checkRecordedAnswers(path: string): Promise<CheckedFile> {
  const problems: string[] = [];
  const ids = new Set<string>();
  const lines = (await readText(path, 'recorded answers')).split('\n');
  lines.forEach((text, i) => {
    if (text.trim() === '') return;
    const { id, answer } = parseFields(text);
    if (typeof id !== 'string' || typeof answer !== 'string')
      problems.push(`line ${i + 1}: expected an object with an id and an answer, both text`);
    else if (ids.has(id)) problems.push(`line ${i + 1}: a second answer to "${id}"`);
    else ids.add(id);
  });
  return {
    kind: 'recorded_answers',
    problems,
    text: [
      `Recorded answers to open questions: ${counted(ids.size, 'answer')}. krisis judge --answers ${path} judges them.`,
    ],
    json: { rows: ids.size },
  };
}

function parseFields(text: string): { readonly id?: unknown; readonly answer?: unknown } {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found !== 'object' || found === null) return {};
    return 'question_id' in found ? { id: found.question_id, ...found } : found;
  } catch {
    return {};
  }
}
