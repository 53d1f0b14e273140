import { z } from 'zod';
import { contentHash } from '../../core/canonical-json.ts';
import { counted } from '../../core/wording.ts';
import { streamJson } from '../json-text.ts';
import { checked, formatError, type ResultFormat } from './format.ts';

const modelSchema = z.looseObject({ model_name: z.string().nullish() }).nullish();

const resultSchema = z.looseObject({
  metadata: z.looseObject({
    question_id: z.string(),
    question_text: z.string().nullish(),
    failure: z.looseObject({ category: z.string().nullish() }).nullish(),
    answering: modelSchema,
    parsing: modelSchema,
    replicate: z.int().nullish(),
  }),
  template: z
    .looseObject({
      raw_llm_response: z.string().nullish(),
      verify_result: z.boolean().nullish(),
      abstention_detected: z.boolean().nullish(),
    })
    .nullish(),
  rubric: z.looseObject({}).nullish(),
});
/** An export of results of Karenina: answers to open questions with the verdict of an answer template, or of a trait of the rubric. */
export const karenina: ResultFormat = {
  read: async ({ path, shape }, { scorer }, onRow) => {
    const version = String(shape.get('format_version'));
    if (!/^2(\.|$)/.test(version))
      throw formatError(path, `format_version is ${version}; expected version 2 of an export of Karenina`);
    const seen = new Map<string, string>();
    const ids = new Set<string>();
    let hasScorer = false;
    await streamJson(path, ['$.results.*'], (value, { key }) => {
      const where = `results[${key}]`;
      const place = `${path}: ${where}`;
      const result = checked(resultSchema, value, place);
      const { question_id: id, question_text: text, failure, replicate } = result.metadata;
      const answering = result.metadata.answering?.model_name ?? 'unknown model';
      const run = `${answering}${result.metadata.parsing?.model_name ? ` judged by ${result.metadata.parsing.model_name}` : ''}`;
      const repeat = `${run} ${id} ${replicate ?? 0}`;
      const before = seen.get(repeat);
      if (before !== undefined)
        throw formatError(place, `the question ${id} of the same model and replicate is also ${before}`);
      seen.set(repeat, where);
      ids.add(id);
      const score = scorer === undefined ? verdict(result) : traitScore(result, scorer);
      if (score !== undefined) hasScorer = true;
      onRow({
        where,
        run,
        id,
        inputHash: text == null ? null : contentHash(text).slice(0, 16),
        answer: result.template?.raw_llm_response ?? null,
        targets: [],
        score: score ?? null,
        abstained: result.template?.abstention_detected === true,
        failed: failure == null ? undefined : (failure.category ?? 'unknown'),
        record: value,
      });
    });
    if (seen.size === 0) throw formatError(path, 'no results: nothing to score');
    if (scorer !== undefined && !hasScorer)
      throw formatError(path, `no scorer "${scorer}": no result has a trait of this name`);
    return {
      what: `Karenina results, ${counted(ids.size, 'question')}, ${counted(seen.size, 'answer')}`,
      mapped: {
        id: 'metadata.question_id',
        score: scorer === undefined ? 'template.verify_result' : `the trait ${scorer}`,
        abstained: 'template.abstention_detected',
        repeat: 'metadata.replicate',
        failed: 'metadata.failure',
      },
      notes: ['answer templates are Python: their verdicts are read, and they are never executed'],
    };
  },
};

function verdict({ template }: z.infer<typeof resultSchema>): number | undefined {
  return template?.verify_result == null ? undefined : Number(template.verify_result);
}

/** The value of a trait in any group of the rubric's scores. */
function traitScore({ rubric }: z.infer<typeof resultSchema>, name: string): number | undefined {
  for (const group of Object.values(rubric ?? {})) {
    if (typeof group !== 'object' || group === null || !Object.hasOwn(group, name)) continue;
    const value = (group as Record<string, unknown>)[name];
    if (typeof value === 'boolean') return Number(value);
    if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  }
  return undefined;
}
