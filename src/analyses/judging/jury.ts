import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { judgeDissentSchema, juryDissent, settledVerdict } from '../../rubrics/jury/jury-verdicts.ts';
import { listItems } from '../../rubrics/traits/metric-trait.ts';
import { VERDICTS } from '../../rubrics/verdict.ts';
import type { RunFile } from '../../store/run-file.ts';
import type { JudgedAnswer, QuestionTrait } from './judged-answers.ts';
import type { Judgements } from './stored-judgements.ts';

/** One judge of a jury. */
const juryMemberSchema = z.object({
  name: z.string(),
  config: z.string(),
  passes: count,
  calls: count,
  /** Null where the provider reports none. */
  tokens: z.number().nullable(),
  costUsd: z.number().nullable(),
  dissent: judgeDissentSchema,
});

const splitItemSchema = z.object({
  id: z.string(),
  repeat: count,
  trait: z.string(),
  itemId: z.string(),
  instruction: z.string(),
  /** What each judge says, its passes settled; null where it gave no usable verdict. */
  votes: z.record(z.string(), z.enum(VERDICTS).nullable()),
  /** What the jury says; null without a quorum. */
  verdict: z.string().nullable(),
});
export const jurySchema = z.object({
  judges: z.array(juryMemberSchema),
  /** Krippendorff's alpha over the judges; null where it is undefined. */
  agreement: z.number().nullable(),
  /** Share of items on which two judges agree, by `first|second`. */
  pairwise: z.record(z.string(), z.number().nullable()),
  /** The judge that differs most from the others; null on a tie. */
  mostDifferent: z.string().nullable(),
  /** Items on which the judges do not all say the same. */
  splitItems: z.array(splitItemSchema),
});
/** Several judges of the same answers: how far they differ, and what each cost. It says nothing about which of them is right. */
export type Jury = Shape<typeof jurySchema>;

/** The jury whose verdicts are scored; null for a single judge. */
export function juryReport(
  file: Pick<RunFile, 'calls'>,
  {
    answers,
    judgements,
    findTraits,
  }: {
    readonly answers: readonly JudgedAnswer[];
    readonly judgements: Judgements;
    readonly findTraits: (questionId: string) => readonly QuestionTrait[];
  },
): Jury | null {
  const { jury, juryName } = judgements;
  if (juryName === null) return null;
  const names = jury.map(({ name }) => name);
  const items = answers
    .filter(({ state }) => state === 'answered')
    .flatMap(({ id, repeat }) =>
      findTraits(id).flatMap((entry) => {
        if (entry.scoredBy !== 'items') return [];
        const findVerdicts = (judge: string, pass: number) => {
          const outcome = judgements.outcome({ recordId: id, repeat, judge, pass, rubric: entry.rubric });
          return new Map((outcome?.verdicts ?? []).map((given) => [given.id, given.verdict]));
        };
        const said = jury.map(({ name, passes }) =>
          Array.from({ length: passes }, (_, pass) => findVerdicts(name, pass)),
        );
        const decided = findVerdicts(juryName, 0);
        return listItems(entry.trait).map(
          (item): Shape<typeof splitItemSchema> => ({
            id,
            repeat,
            trait: entry.trait.name,
            itemId: item.id,
            instruction: item.instruction,
            votes: Object.fromEntries(
              said.map((passes, i) => [
                names[i]!,
                settledVerdict(passes.map((verdicts) => verdicts.get(item.id) ?? null)),
              ]),
            ),
            verdict: decided.get(item.id) ?? null,
          }),
        );
      }),
    );
  const dissent = juryDissent(
    names,
    items.map(({ votes }) => votes),
  );
  return {
    judges: jury.map(({ name, config, passes }) => {
      const { calls, inputTokens, outputTokens, costUsd } = file.calls.judgeTotals(config);
      const isReported = inputTokens !== null || outputTokens !== null;
      return {
        name,
        config,
        passes,
        calls,
        tokens: isReported ? (inputTokens ?? 0) + (outputTokens ?? 0) : null,
        costUsd,
        dissent: dissent.byJudge[name]!,
      };
    }),
    agreement: dissent.alpha,
    pairwise: dissent.pairwise,
    mostDifferent: dissent.mostDifferent,
    splitItems: items.filter(({ votes }) => new Set(Object.values(votes).filter(Boolean)).size > 1),
  };
}
