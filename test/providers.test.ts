import { beforeAll, describe, expect, it } from 'vitest';
import { PROVIDERS } from '../src/models/api/providers/providers.ts';
import {
  answersIn,
  emulator,
  KEYS,
  MAIN,
  MODELS,
  type ModelName,
  manifestOf,
  query,
  runJson,
  SMALL,
  toEmulator,
  workingFolder,
} from './emulated-run.ts';
import type { RecordedRequest } from './emulator/desk.ts';
import { formatOf } from './emulator/formats.ts';
import type { EmulatorOptions } from './emulator/options.ts';
import { CONTRADICTORY } from './emulator/spoiled-reply.ts';
import type { Question } from './emulator/wire-format.ts';

/** The real command against every provider's form of API, and what is left when replies are not as they should be. */

function questionIn({ path, body }: RecordedRequest): Question {
  return formatOf(path)!.read(JSON.parse(body!), path);
}

const NAMES = Object.keys(MODELS) as ModelName[];

it('every provider is here', () => {
  const tried = new Set(NAMES.map((name) => MODELS[name].model.split('/')[0]));
  expect([...tried].sort()).toEqual([...PROVIDERS].sort());
});

/** The rows of a run that met no fault; the emulator's answers hang on the case alone, whoever asks. */
let reference: unknown[];
beforeAll(async () => {
  const server = await emulator();
  const run = await runJson([...SMALL, ...toEmulator('openai-compatible', server)], workingFolder());
  reference = answersIn(run.file);
});

describe.each(NAMES)('%s', (name) => {
  const { model, keyVariable } = MODELS[name];

  it('answers every record, as every other provider does', async () => {
    const server = await emulator({ record: true });
    const run = await runJson([...SMALL, ...toEmulator(name, server)], workingFolder());
    expect([run.code, run.status], run.stderr).toEqual([0, 'complete']);
    const { n, answered_correct, answered_wrong, abstained } = run.ledger;
    expect([n, answered_correct! + answered_wrong! + abstained!]).toEqual([24, 24]);
    expect(abstained).toBeGreaterThan(0);
    const rows = answersIn(run.file);
    expect(rows).toHaveLength(24);
    expect(rows).toEqual(reference);

    const requests = await server.requests();
    expect(requests).toHaveLength(6);
    for (const request of requests) {
      const { schema, maxTokens, text } = questionIn(request);
      expect(JSON.stringify(schema)).toMatch(/"results".*"prediction".*"enum":\["?1"?,"?2"?/);
      // The client knows what this old model can give, and asks for no more.
      expect(maxTokens).toBe(name === 'anthropic with a tool' ? 4096 : 4 * 2048);
      expect(text.match(/<case id="case_\d">/g)).toHaveLength(4);
      expect(keysIn(request)).toEqual(keyVariable === null ? [] : [KEYS[keyVariable]]);
    }

    // Four characters are a token in the emulator, so what was sent says what must have been counted.
    const asked = requests.map(questionIn);
    const sent = asked.reduce((sum, { system, text }) => sum + tokens(system.length + text.length), 0);
    expect(run.execution.input_tokens).toBe(sent);
    expect(run.execution).toMatchObject({ n_calls: 6, n_retries: 0, n_splits: 0, wasted_tokens: 0 });
    expect(run.execution.token_total).toBe(run.execution.input_tokens! + run.execution.output_tokens!);
    const perRow = query<{ n: number }>(run.file, 'SELECT sum(total_tokens) AS n FROM rows')[0]!;
    expect(perRow.n).toBe(run.execution.token_total);

    const id = model.slice(model.indexOf('/') + 1);
    expect(run.execution.model_ids).toEqual([id]);
    expect(manifestOf(run.file)).toMatchObject({
      model,
      parameters: { model: id, structured_output: true },
      egress: { host: new URL(server.url).host, loopback: true, protected_data_allowed: false },
    });
  });
});

function tokens(characters: number): number {
  return Math.ceil(characters / 4);
}

/** The keys that came with a request, wherever they stand in it. */
function keysIn(request: RecordedRequest): string[] {
  const text = JSON.stringify(request);
  return Object.values(KEYS).filter((key) => text.includes(key));
}

interface Case {
  readonly what: string;
  readonly options: EmulatorOptions;
  /** Records. Default: 24. */
  readonly n?: number;
  /** Ledger classes; the rest of the rows is answered as if nothing had happened. */
  readonly ledger?: Readonly<Record<string, number>>;
  readonly execution: Readonly<Record<string, number>>;
  readonly code?: number;
}

/** Six batches of four go down to single rows: each batch is split three times, and takes seven calls. */
const ALL_SPLIT = { n_api_batches: 6, n_splits: 18 };
/** Four batches of four, and every row alone: fewer rows than a run asks before it stops because nothing succeeds. */
const FEW = 16;
const FEW_SPLIT = { n_api_batches: 4, n_splits: 12, n_calls: 44, n_single_fallbacks: 16 };
const always = { faultsPass: false } as const;
const UNREADABLE = ['prose', 'cut', 'no_list'] as const;

const CASES: readonly Case[] = [
  {
    what: 'refused for good: the row is refused, and not asked again',
    options: { refusalShare: 1, ...always },
    ledger: { refused: 24 },
    execution: { ...ALL_SPLIT, n_calls: 42, n_single_fallbacks: 24 },
  },
  {
    what: 'cut off once: split, and each row asked once more',
    options: { truncatedShare: 1 },
    execution: { ...ALL_SPLIT, n_calls: 66, n_single_fallbacks: 24 },
  },
  {
    what: 'cut off for good: the rows failed',
    options: { truncatedShare: 1, ...always },
    n: FEW,
    ledger: { failed_truncated: 16 },
    execution: FEW_SPLIT,
    code: 3,
  },
  {
    what: 'empty for good: the rows failed',
    options: { emptyShare: 1, ...always },
    n: FEW,
    ledger: { failed_empty: 16 },
    execution: FEW_SPLIT,
    code: 3,
  },
  {
    what: 'malformed batches: split down to single rows',
    options: { malformedShare: 1, malformedKinds: UNREADABLE, ...always },
    execution: { ...ALL_SPLIT, n_calls: 42, n_repaired: 0 },
  },
  {
    what: 'malformed rows: what the model said is no answer',
    options: { malformedShare: 1, malformedKinds: ['prose', 'cut'], malformedSingles: true, ...always },
    ledger: { invalid: 24 },
    execution: { ...ALL_SPLIT, n_calls: 42 },
  },
  {
    what: 'two answers that differ, or a key twice: what the model said is no answer',
    options: { malformedShare: 1, malformedKinds: CONTRADICTORY, malformedSingles: true, ...always },
    ledger: { invalid: 24 },
    execution: { n_calls: 6, n_splits: 0 },
  },
  {
    what: 'mendable: read, and said so',
    options: { repairableShare: 1, ...always },
    execution: { n_calls: 6, n_splits: 0, n_repaired: 24, wasted_tokens: 0 },
  },
  {
    what: 'incomplete: what is there is kept, the rest is asked by itself',
    options: { partialShare: 1, ...always },
    execution: { n_calls: 12, n_splits: 6, n_repaired: 0, wasted_tokens: 0 },
  },
];

describe.each(MAIN)('replies of %s that are', (name) => {
  it.each(CASES)('$what', async ({ options, n = 24, ledger, execution, code = 0 }) => {
    const server = await emulator(options);
    const args = [...SMALL, '--limit', String(n), ...toEmulator(name, server)];
    const run = await runJson(args, workingFolder());
    expect(run.code, run.stderr).toBe(code);
    expect(run.execution).toMatchObject(execution);
    expect(run.execution.n_calls).toBe((await server.stats()).requests);
    const rows = answersIn(run.file);
    expect(rows).toHaveLength(n);
    if (ledger === undefined) expect(rows).toEqual(reference);
    else expect(run.ledger).toMatchObject({ n, answered_correct: 0, answered_wrong: 0, ...ledger });
  });
});
