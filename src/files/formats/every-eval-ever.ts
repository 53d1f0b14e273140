import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { contentHash } from '../../core/canonical-json.ts';
import type { Label } from '../../core/label.ts';
import { counted } from '../../core/wording.ts';
import { streamJson } from '../json-text.ts';
import { checked, chooseScorer, formatError, labelField, plainValues, type ResultFormat } from './format.ts';
import { readLines } from './lm-eval.ts';

const version = z
  .string()
  .regex(/^0\.3(\.|$)/, { error: 'is another; expected version 0.3 of Every Eval Ever' });

const sampleSchema = z.looseObject({
  schema_version: version,
  model_id: z.string(),
  evaluation_name: z.string(),
  evaluation_result_id: z.string().nullish(),
  sample_id: z.string(),
  sample_hash: z.string().nullish(),
  input: z.looseObject({
    raw: z.string().nullish(),
    reference: z.union([z.array(z.string()), z.string()]).nullish(),
    choices: z.array(z.string()).nullish(),
  }),
  output: z.looseObject({ raw: z.union([z.array(z.string()), z.string()]).nullish() }).nullish(),
  answer_attribution: z
    .array(z.looseObject({ extracted_value: labelField, is_terminal: z.boolean().nullish() }))
    .nullish(),
  evaluation: z.looseObject({ score: z.number().nullish(), is_correct: z.boolean().nullish() }).nullish(),
  error: z.unknown().optional(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

const aggregateSchema = z.looseObject({
  schema_version: version,
  model_info: z.looseObject({ id: z.string() }),
  evaluation_results: z.array(z.unknown()),
  detailed_evaluation_results: z.looseObject({ file_path: z.string() }).nullish(),
});

/** Samples of Every Eval Ever 0.3, or the aggregate beside which they lie. Each model with each evaluation is a run. */
export const everyEvalEver: ResultFormat = {
  read: async ({ path, shape }, options, onRow) => {
    const file = shape.has('sample_id') ? path : await findSamples(path);
    const evaluations = new Set<string>();
    const models = new Set<string>();
    const ids = new Set<string>();
    let [n, nFromText] = [0, 0];
    for await (const { value, number } of readLines(file)) {
      const place = `${file}:${number}`;
      const sample = checked(sampleSchema, value, place);
      n += 1;
      evaluations.add(sample.evaluation_name);
      chooseScorer(
        [...evaluations].filter((name) => options.scorer === undefined || name === options.scorer),
        undefined,
        place,
      );
      if (options.scorer !== undefined && sample.evaluation_name !== options.scorer) continue;
      models.add(sample.model_id);
      ids.add(sample.sample_id);
      const extracted = sample.answer_attribution?.find(({ is_terminal }) => is_terminal)?.extracted_value;
      const text = [sample.output?.raw ?? []].flat()[0];
      if (extracted == null) nFromText += 1;
      const { abstained, confidence } = sample.metadata ?? {};
      const { fields, rest } = ownFields(sample.metadata ?? {});
      onRow({
        where: `line ${number}`,
        run: sample.model_id,
        id: sample.sample_id,
        inputHash: (sample.sample_hash ?? contentHash((sample.input.raw ?? null) as never)).slice(0, 16),
        answer: (extracted ?? text ?? null) as Label | null,
        targets: [sample.input.reference ?? []].flat(),
        choices: sample.input.choices?.length ? sample.input.choices : undefined,
        score: readScore(sample.evaluation),
        abstained: /^true$/i.test(String(abstained)),
        confidence: numberIn(confidence),
        failed:
          sample.error === null || sample.error === undefined
            ? undefined
            : failedBecause(fields.state_reason),
        fields,
        metadata: plainValues(rest),
        record: value,
      });
    }
    if (options.scorer !== undefined) chooseScorer([...evaluations], options.scorer, file);
    return {
      what: `Every Eval Ever samples, ${[...evaluations].join(', ')}, ${[...models].join(', ')}, ${counted(ids.size, 'sample')}`,
      ...(models.size === 1 && { model: [...models][0]! }),
      mapped: {
        id: 'sample_id (input: sample_hash)',
        prediction: nFromText === n ? 'output.raw[0]' : 'answer_attribution[is_terminal].extracted_value',
        ground_truth: 'input.reference',
        score: 'evaluation.score',
        abstained: 'metadata.abstained',
        confidence: 'metadata.confidence',
        failed: 'error',
      },
      notes: file === path ? [] : [`the samples are in ${file}`],
    };
  },
};

/** Fields of a row in the metadata of our own export; elsewhere their names may mean anything. */
const OWN_FIELDS = [
  'state',
  'state_reason',
  'urgent',
  'should_abstain',
  'should_abstain_reasons',
  'must_act',
  'near_line',
  'deferral_reason',
  'call',
];
/** Metadata that is read as a field of the row, or that says what the file itself says. */
const READ = new Set(['abstained', 'confidence', 'repeat', 'written_by']);

/** Fields of the row, and what remains of the metadata. */
function ownFields(metadata: Readonly<Record<string, unknown>>) {
  const own = new Set(metadata.written_by === 'krisis' ? OWN_FIELDS : []);
  const fields: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(metadata)) {
    if (key === 'should_abstain_reasons' && own.has(key)) fields[key] = String(value).split('; ');
    else if (own.has(key)) fields[key] = value;
    else if (!READ.has(key)) rest[key] = value;
  }
  return { fields, rest };
}

function numberIn(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

function failedBecause(reason: unknown): string {
  return typeof reason === 'string' ? reason : 'sample_error';
}

function readScore(evaluation: z.infer<typeof sampleSchema>['evaluation']): number | null {
  const score = evaluation?.score ?? (evaluation?.is_correct == null ? null : Number(evaluation.is_correct));
  return score !== null && score >= 0 && score <= 1 ? score : null;
}

/** The file of samples that an aggregate names, beside it. */
async function findSamples(path: string): Promise<string> {
  const head: Record<string, unknown> = {};
  await streamJson(path, ['$.*'], (value, { key }) => {
    head[String(key)] = value;
  });
  const { detailed_evaluation_results: details, evaluation_results: results } = checked(
    aggregateSchema,
    head,
    path,
  );
  const named = details == null ? null : basename(details.file_path);
  const candidates = [
    ...(named === null ? [] : [named]),
    `${basename(path).replace(/\.json$/i, '')}_samples.jsonl`,
  ];
  const found = candidates.map((name) => join(dirname(path), name)).find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw formatError(
    path,
    `an aggregate of Every Eval Ever with ${counted(results.length, 'score')} and no answers; expected its samples beside it, as ${candidates.join(' or ')}`,
  );
}
