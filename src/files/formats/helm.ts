import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { contentHash } from '../../core/canonical-json.ts';
import type { Label } from '../../core/label.ts';
import { counted } from '../../core/wording.ts';
import { streamJson } from '../json-text.ts';
import { checked, chooseScorer, formatError, type ResultFormat, type SourceRow } from './format.ts';
import { HELM_STATE } from './source.ts';

const STATS = 'per_instance_stats.json';

const stateSchema = z.looseObject({
  instance: z.looseObject({
    id: z.string(),
    input: z.looseObject({ text: z.string().nullish() }),
    references: z
      .array(
        z.looseObject({ output: z.looseObject({ text: z.string() }), tags: z.array(z.string()).nullish() }),
      )
      .nullish(),
    perturbation: z.looseObject({ name: z.string().nullish() }).nullish(),
  }),
  train_trial_index: z.int().min(0).nullish(),
  request_mode: z.string().nullish(),
  output_mapping: z.record(z.string(), z.string()).nullish(),
  result: z
    .looseObject({
      success: z.boolean(),
      completions: z.array(
        z.looseObject({
          text: z.string(),
          logprob: z.number().nullish(),
          tokens: z.array(z.unknown()).nullish(),
        }),
      ),
    })
    .nullish(),
});
const statsSchema = z.looseObject({
  instance_id: z.string(),
  train_trial_index: z.int().nullish(),
  stats: z.array(z.looseObject({ name: z.looseObject({ name: z.string() }), mean: z.number().nullish() })),
});
const adapterSchema = z.looseObject({ method: z.string().nullish(), model: z.string().nullish() });

/** Metrics that say of one answer how right it is. */
const GRADES = new Set([
  'exact_match',
  'quasi_exact_match',
  'prefix_exact_match',
  'quasi_prefix_exact_match',
  'f1_score',
  'rouge_1',
  'rouge_2',
  'rouge_l',
  'bleu_1',
  'bleu_4',
  'math_equiv',
  'math_equiv_chain_of_thought',
]);

/** A run of HELM: its folder, or the `scenario_state.json` in it. */
export const helm: ResultFormat = {
  read: async (source, options, onRow) => {
    const path = source.kind === 'folder' ? join(source.path, HELM_STATE) : source.path;
    const stats = await readStats(join(dirname(path), STATS));
    const seen = new Map<string, string>();
    let adapter: unknown = null;
    let scorer: string | null = null;
    let [nMapped, nConfidences, nUnstated] = [0, 0, 0];
    await streamJson(path, ['$.adapter_spec', '$.request_states.*'], (value, { path: found, key }) => {
      if (found === '$.adapter_spec') {
        adapter = value;
        return;
      }
      const where = `request_states[${key}]`;
      const place = `${path}: ${where}`;
      const state = checked(stateSchema, value, place);
      if (state.request_mode != null && state.request_mode !== 'original')
        throw formatError(
          place,
          `request_mode is ${state.request_mode}; expected answers that were generated or chosen jointly`,
        );
      const id = readId(state);
      const trial = state.train_trial_index ?? 0;
      const before = seen.get(`${id} ${trial}`);
      if (before !== undefined)
        throw formatError(place, `the instance ${id} of trial ${trial} is also ${before}`);
      seen.set(`${id} ${trial}`, where);
      const isMapped = state.output_mapping != null;
      if (isMapped) nMapped += 1;
      const grades = stats.get(`${state.instance.id} ${trial}`);
      if (!isMapped && grades !== undefined) scorer = chooseScorer([...grades.keys()], options.scorer, place);
      const row = readRow(state, place);
      if (row.confidence !== null) nConfidences += 1;
      else if (state.result?.completions[0]?.logprob === 0) nUnstated += 1;
      onRow({
        ...row,
        where,
        run: '',
        id,
        inputHash: contentHash(state.instance.input as never).slice(0, 16),
        score: scorer === null ? null : (grades?.get(scorer) ?? null),
        record: value,
      });
    });
    if (seen.size === 0) throw formatError(path, 'no request_states: nothing to score');
    const { method, model } = checked(adapterSchema, adapter ?? {}, `${path}: adapter_spec`);
    return {
      what: `HELM run, ${method ?? 'unknown method'}, ${counted(seen.size, 'instance')}`,
      ...(model && { model }),
      mapped: {
        id: 'instance.id',
        prediction: 'result.completions[0].text',
        ground_truth:
          nMapped > 0 ? 'the letter of the reference tagged correct' : 'the reference tagged correct',
        ...(nConfidences > 0 && { confidence: 'exp(completions[0].logprob), for answers of one token' }),
        ...(scorer !== null && { score: scorer }),
        repeat: 'train_trial_index',
        failed: 'result.success',
      },
      notes:
        nUnstated > 0
          ? [`log-probabilities of 0 are not taken for certainty: ${nUnstated} without confidence`]
          : [],
    };
  },
};

/** A perturbed instance is another case than the one that it was made from. */
function readId({ instance: { id, perturbation } }: z.infer<typeof stateSchema>): string {
  return perturbation?.name ? `${id} (${perturbation.name})` : id;
}

function readRow(
  { instance, output_mapping: mapping, result }: z.infer<typeof stateSchema>,
  place: string,
): Pick<SourceRow, 'answer' | 'targets' | 'choices' | 'failed'> & { readonly confidence: number | null } {
  const correct = (instance.references ?? []).flatMap(({ output, tags }) =>
    tags?.includes('correct') ? [output.text] : [],
  );
  const letterByText = new Map(Object.entries(mapping ?? {}).map(([letter, text]) => [text, letter]));
  const targets: Label[] = mapping == null ? correct : correct.map((text) => letterByText.get(text) ?? text);
  if (mapping != null && correct.some((text) => !letterByText.has(text)))
    throw formatError(place, 'output_mapping: the reference tagged correct is not in it');
  const choices = mapping == null ? undefined : Object.keys(mapping);
  const [completion] = result?.completions ?? [];
  if (result == null || !result.success || completion === undefined)
    return { answer: null, targets, choices, failed: 'request_failed', confidence: null };
  const { text, logprob, tokens } = completion;
  const probability = tokens?.length === 1 && typeof logprob === 'number' ? Math.exp(logprob) : null;
  return {
    answer: text.trim() === '' ? null : text.trim(),
    targets,
    choices,
    // HELM writes 0 where the model states no log-probability.
    confidence: probability !== null && logprob !== 0 && probability <= 1 ? probability : null,
  };
}

/** The scores of each instance, where the folder has them. */
async function readStats(path: string): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const found = new Map<string, ReadonlyMap<string, number>>();
  if (!existsSync(path)) return found;
  await streamJson(path, ['$.*'], (value, { key }) => {
    const { instance_id, train_trial_index, stats } = checked(statsSchema, value, `${path}: [${key}]`);
    const grades = stats.flatMap(({ name, mean }) =>
      GRADES.has(name.name) && mean != null && mean >= 0 && mean <= 1 ? [[name.name, mean] as const] : [],
    );
    found.set(`${instance_id} ${train_trial_index ?? 0}`, new Map(grades));
  });
  return found;
}
