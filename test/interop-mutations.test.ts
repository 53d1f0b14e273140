import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { KrisisError } from '../src/core/errors.ts';
import { readResults } from '../src/files/read-results.ts';
import { RowTableBuilder } from '../src/metrics/columns.ts';
import { scoreTable } from '../src/metrics/score.ts';
import { type Any, evalFile, INTEROP, readFixture } from './interop.ts';

/**
 * 100 files of each format, each damaged in one way. Krisis either refuses the file with a message that names it, or gives the score that a second reader, in Python, gives. The Python
 * reader is less strict, so a file that it reads may be refused here; never the other way round.
 */
const N = 100;
const hasPython = spawnSync('python3', ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'krisis-mutations-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Mutation = readonly [kind: string, bytes: Buffer];

/** A generator of its own, so that the same files are made each time. */
function numbers(seed: number) {
  let state = seed;
  return (n: number): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * n);
  };
}

/** Every object in a value, so that any key of any of them can be changed. */
function objectsIn(value: Any): Any[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value, ...inner];
}

const FOREIGN = [null, 7, -1, 'x', '', [], {}, true, 1e9, ['a', ['b']]];

interface Format {
  readonly name: string;
  readonly document: () => Any;
  readonly rows: (document: Any) => Any[];
  readonly write: (document: Any) => Buffer;
  /** Damage that only this format can have. */
  readonly own?: (document: Any, draw: (n: number) => number) => void;
  readonly file: (i: number) => string;
}

const asJson = (document: Any) => Buffer.from(JSON.stringify(document));
const asLines = (lines: Any[]) => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
const linesOf = (name: string) =>
  readFileSync(join(INTEROP, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Any);

const FORMATS: readonly Format[] = [
  {
    name: 'inspect',
    document: () => readFixture('inspect.json'),
    rows: ({ samples }) => samples,
    write: asJson,
    own: ({ samples }, draw) => {
      const sample = samples[draw(samples.length)];
      [
        () => delete sample.epoch,
        () => Object.assign(sample.scores, { other: { value: 'C', answer: 'A' } }),
        () => Object.assign(sample, { limit: { type: 'token', limit: 10 } }),
      ][draw(3)]!();
    },
    file: (i) => `inspect-${i}.json`,
  },
  {
    name: 'eval',
    document: () => readFixture('inspect.json'),
    rows: ({ samples }) => samples,
    write: (document) => evalFile(document),
    own: (document, draw) => document.samples.splice(draw(document.samples.length), 1),
    file: (i) => `log-${i}.eval`,
  },
  {
    name: 'lm_eval',
    document: () => linesOf('lm_eval.jsonl'),
    rows: (lines) => lines,
    write: asLines,
    own: (lines, draw) => {
      lines[draw(lines.length)].filter = 'strict';
    },
    file: (i) => `samples-${i}.jsonl`,
  },
  {
    name: 'lm_eval',
    document: () => linesOf('lm_eval_choices.jsonl'),
    rows: (lines) => lines,
    write: asLines,
    file: (i) => `choices-${i}.jsonl`,
  },
  {
    name: 'helm',
    document: () => readFixture('helm/scenario_state.json'),
    rows: ({ request_states }) => request_states,
    write: asJson,
    own: ({ request_states: states }, draw) => {
      states[draw(states.length)].request_mode = 'calibration';
    },
    file: (i) => `helm-${i}.json`,
  },
  {
    name: 'promptfoo',
    document: () => readFixture('promptfoo.json'),
    rows: ({ results }) => results.results,
    write: asJson,
    own: ({ results }, draw) => {
      results.version = draw(5);
    },
    file: (i) => `promptfoo-${i}.json`,
  },
  {
    name: 'every_eval_ever',
    document: () => linesOf('every_eval_ever_samples.jsonl'),
    rows: (lines) => lines,
    write: asLines,
    own: (lines, draw) => {
      lines[draw(lines.length)].evaluation_name = 'another';
    },
    file: (i) => `eee-${i}.jsonl`,
  },
  {
    name: 'karenina',
    document: () => readFixture('karenina.json'),
    rows: ({ results }) => results,
    write: asJson,
    own: (document, draw) => {
      document.format_version = `${draw(4)}.0`;
    },
    file: (i) => `karenina-${i}.json`,
  },
];

function mutate({ document, rows, write, own }: Format, i: number): Mutation {
  const draw = numbers(7919 * (i + 1));
  const value = document();
  const objects = objectsIn(value);
  const pick = <T>(list: readonly T[]): T => list[draw(list.length)]!;
  const keyOf = () => {
    const object = pick(objects.filter((one) => Object.keys(one).length > 0));
    return [object, pick(Object.keys(object))] as const;
  };
  const kinds: readonly (readonly [string, () => Buffer])[] = [
    ['cut off', () => write(value).subarray(0, 1 + draw(write(value).length - 1))],
    [
      'a key is missing',
      () => {
        const [object, key] = keyOf();
        delete object[key];
        return write(value);
      },
    ],
    [
      'a wrong type',
      () => {
        const [object, key] = keyOf();
        object[key] = pick(FOREIGN);
        return write(value);
      },
    ],
    [
      'a row twice',
      () => {
        const all = rows(value);
        all.push(structuredClone(pick(all)));
        return write(value);
      },
    ],
    [
      'a key of a case is missing',
      () => {
        const row = pick(rows(value));
        delete row[pick(Object.keys(row))];
        return write(value);
      },
    ],
    [
      'NaN',
      () => {
        const row =
          pick(objects.filter((one) => Object.values(one).some((v) => typeof v === 'number'))) ??
          pick(rows(value));
        if (!Object.values(row).some((v) => typeof v === 'number')) row.format = 1;
        row[pick(Object.keys(row).filter((key) => typeof row[key] === 'number'))] = '@NaN@';
        return Buffer.from(write(value).toString('latin1').replaceAll('"@NaN@"', 'NaN'), 'latin1');
      },
    ],
    [
      'bytes that are no UTF-8',
      () => {
        const bytes = Buffer.from(write(value));
        bytes[draw(bytes.length)] = 0xff;
        return bytes;
      },
    ],
    [
      'something of its own',
      () => {
        own?.(value, draw);
        return write(value);
      },
    ],
  ];
  const [kind, make] = kinds[i % kinds.length]!;
  return [kind, make()];
}

interface Found {
  readonly score: number | null;
  readonly n: number;
}

/** The rows that count, and how many of them are right. */
async function read(path: string): Promise<Found | KrisisError> {
  const builder = new RowTableBuilder();
  try {
    await readResults(path, (row) => builder.add(row));
  } catch (error) {
    if (error instanceof KrisisError) return error;
    throw error;
  }
  const { scores, nScored, ledger } = scoreTable(builder.finish(), { resamples: 0 });
  const value = (name: string) => scores.find((score) => score.name === name)?.value ?? null;
  return { score: value('mean_score') ?? value('accuracy'), n: nScored - (ledger.answered ?? 0) };
}

describe.each(FORMATS.map((format, f) => ({ ...format, f })))('$name, damaged ($f)', (format) => {
  it.skipIf(!hasPython)(
    'is refused with a message, or scored as the second reader scores it',
    { timeout: 120_000 },
    async () => {
      mkdirSync(join(folder, String(format.f)));
      const jobs = [];
      let [nRefused, nScored] = [0, 0];
      for (let i = 0; i < N; i++) {
        const [kind, bytes] = mutate(format, i);
        const file = join(folder, String(format.f), format.file(i));
        writeFileSync(file, bytes);
        jobs.push({ kind, file, format: format.name, found: await read(file) });
      }
      const { stdout, status } = spawnSync('python3', ['test/interop_reader.py'], {
        input: jobs.map(({ file, format }) => `${JSON.stringify({ file, format })}\n`).join(''),
        encoding: 'utf8',
      });
      expect(status).toBe(0);
      const expected = stdout.trim().split('\n');
      for (const [i, { kind, file, found }] of jobs.entries()) {
        const about = `${kind}: ${file}`;
        if (found instanceof KrisisError) {
          nRefused += 1;
          expect(found.message, about).toContain(file);
          expect(found.message, about).not.toMatch(/undefined|\[object|Invalid input: expected nonoptional/);
          continue;
        }
        nScored += 1;
        const [n, right] = JSON.parse(expected[i]!);
        expect(n, `${about}: ${right}`).not.toBe('error');
        if (n > 0 && found.score !== null) expect(found.score, about).toBeCloseTo(right / n, 9);
        else expect(right, about).toBe(0);
      }
      expect(nRefused).toBeGreaterThan(15);
      expect(nScored).toBeGreaterThan(15);
    },
  );
});
