import { z } from 'zod';
import { contentHash } from '../../core/canonical-json.ts';
import type { Label } from '../../core/label.ts';
import { plainLine } from '../../core/plain-text.ts';
import { counted } from '../../core/wording.ts';
import { streamJson } from '../json-text.ts';
import {
  checked,
  formatError,
  labelField,
  plainValues,
  type ResultFormat,
  type SourceRow,
} from './format.ts';

const outputField = z
  .looseObject({ output: z.unknown().optional(), error: z.unknown().optional() })
  .nullish();

const resultSchema = z.looseObject({
  testIdx: z.int().min(0).nullish(),
  promptIdx: z.int().nullish(),
  testCase: z
    .looseObject({
      vars: z.record(z.string(), z.unknown()).nullish(),
      metadata: z.record(z.string(), z.unknown()).nullish(),
      assert: z.array(z.looseObject({ type: z.string(), value: z.unknown().optional() })).nullish(),
    })
    .nullish(),
  vars: z.record(z.string(), z.unknown()).nullish(),
  provider: z.union([z.string(), z.looseObject({ id: z.string(), label: z.string().nullish() })]).nullish(),
  prompt: z.looseObject({ raw: z.string().nullish(), label: z.string().nullish() }).nullish(),
  response: outputField,
  providerResponse: outputField,
  error: z.unknown().optional(),
  failureReason: z.int().nullish(),
  score: z.number().nullish(),
  success: z.boolean().nullish(),
  namedScores: z.record(z.string(), z.number()).nullish(),
  gradingResult: z
    .looseObject({ reason: z.string().nullish(), componentResults: z.array(z.unknown()).nullish() })
    .nullish(),
});
type Result = z.infer<typeof resultSchema>;

const NO_ASSERTIONS = 'No assertions';
const ERROR = 2;

/** Results of promptfoo, as the command line writes them and as it stores them. Each provider with each prompt is a run. */
export const promptfoo: ResultFormat = {
  read: async ({ path, shape }, options, onRow) => {
    const at = shape.get('results') === '[' ? '$.results.*' : '$.results.results.*';
    const version = shape.get('results.version');
    if (version !== undefined && version !== 3)
      throw formatError(path, `results.version is ${String(version)}; expected 3`);
    const rows: SourceRow[] = [];
    const prompts = new Set<string>();
    const scores = new Set<string>();
    await streamJson(path, [at], (value, { key }) => {
      const where = `results[${key}]`;
      const place = `${path}: ${where}`;
      const result = checked(resultSchema, value, place);
      const vars = result.testCase?.vars ?? result.vars ?? {};
      const id = readId(result, vars, place);
      const prompt = result.prompt?.label ?? result.prompt?.raw ?? '';
      prompts.add(prompt);
      for (const name of Object.keys(result.namedScores ?? {})) scores.add(name);
      const provider = providerName(result);
      rows.push({
        where,
        run: `${provider}\n${prompt}`,
        id,
        inputHash: contentHash(vars as never).slice(0, 16),
        answer: readAnswer(result),
        targets: readTargets(result, vars),
        score: readScore(result, options.scorer),
        confidence: result.namedScores?.confidence ?? null,
        failed: whyFailed(result),
        metadata: plainValues(result.testCase?.metadata),
        record: value,
      });
    });
    if (rows.length === 0) throw formatError(path, 'no results: nothing to score');
    if (options.scorer !== undefined && !scores.has(options.scorer))
      throw formatError(
        path,
        `no named score "${options.scorer}"${scores.size === 0 ? '; it has none' : `; it has: ${[...scores].join(', ')}`}`,
      );
    const runs = new Set(rows.map(({ run }) => run));
    const named = nameRuns([...runs], [...prompts]);
    for (const row of rows) onRow({ ...row, run: named.get(row.run)! });
    return {
      what: `promptfoo results, ${counted(rows.length, 'result')}, ${counted(runs.size, 'run')} (a provider with a prompt)`,
      mapped: {
        id: 'testCase.metadata.id, vars.id, or testIdx',
        prediction: 'response.output',
        ground_truth: 'vars.expected, or the value of an equals assertion',
        score: options.scorer === undefined ? 'score' : `namedScores.${options.scorer}`,
        ...(scores.has('confidence') && { confidence: 'namedScores.confidence' }),
        failed: 'failureReason 2, or error without a response',
      },
      notes: [
        ...(prompts.size > 1
          ? [...prompts].map((prompt, i) => `prompt ${i + 1}: ${plainLine(prompt, 80)}`)
          : []),
        ...(rows.some(({ score }) => score === null) ? ['results without assertions are not scored'] : []),
      ],
    };
  },
};

function readId(
  { testCase, testIdx }: Result,
  vars: Readonly<Record<string, unknown>>,
  place: string,
): string {
  const id = testCase?.metadata?.id ?? vars.id ?? testIdx;
  if (typeof id === 'string' || typeof id === 'number') return String(id);
  throw formatError(place, 'testIdx: expected a whole number, or an id in testCase.metadata or vars');
}

function providerName({ provider }: Result): string {
  if (typeof provider === 'string') return provider;
  return provider?.label || provider?.id || 'unknown provider';
}

/** A run is named after its provider; after the number of its prompt too, where there are several. */
function nameRuns(runs: readonly string[], prompts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    runs.map((run) => {
      const end = run.indexOf('\n');
      const provider = run.slice(0, end);
      const number = prompts.indexOf(run.slice(end + 1)) + 1;
      return [run, prompts.length > 1 ? `${provider}, prompt ${number}` : provider];
    }),
  );
}

function readAnswer({ response, providerResponse }: Result): Label | null {
  const output = response?.output ?? providerResponse?.output;
  if (typeof output === 'string') return output === '' ? null : output;
  if (typeof output === 'number' || typeof output === 'boolean') return output;
  return output === null || output === undefined ? null : JSON.stringify(output);
}

function readTargets({ testCase }: Result, vars: Readonly<Record<string, unknown>>): Label[] {
  const equals = testCase?.assert?.find(({ type }) => type === 'equals')?.value;
  const target = labelField.safeParse(vars.expected ?? equals).data;
  return target === null || target === undefined ? [] : [target];
}

function readScore({ score, namedScores, gradingResult }: Result, scorer: string | undefined): number | null {
  const found = scorer === undefined ? score : namedScores?.[scorer];
  const isGraded = scorer !== undefined || gradingResult?.reason !== NO_ASSERTIONS;
  return isGraded && found != null && found >= 0 && found <= 1 ? found : null;
}

/** An assertion that failed has a text in `error` too: only a call that failed is none of the model's. */
function whyFailed({ failureReason, error, response, providerResponse }: Result): string | undefined {
  if (failureReason === ERROR) return 'provider_error';
  const hasResponse = (response?.output ?? providerResponse?.output) != null;
  return error != null && !hasResponse ? 'provider_error' : undefined;
}
