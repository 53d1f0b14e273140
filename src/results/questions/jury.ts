import {
  itemsOf,
  type JudgeDissent,
  juryDissent,
  settledVerdict,
  type Verdict,
} from '../../rubrics/index.ts';
import type { RunFile } from '../../store/index.ts';
import type { JudgedAnswer, QuestionTrait } from './judged-answers.ts';
import type { Judgements } from './stored-judgements.ts';

/** Several judges of the same answers: how far they differ, and what each cost. It says nothing about which of them is right. */
export interface Jury {
  readonly judges: readonly JuryMember[];
  /** Krippendorff's alpha over the judges; null where it is undefined. */
  readonly agreement: number | null;
  /** Share of items on which two judges agree, by `first|second`. */
  readonly pairwise: Readonly<Record<string, number | null>>;
  /** The judge that differs most from the others; null on a tie. */
  readonly mostDifferent: string | null;
  /** Items on which the judges do not all say the same. */
  readonly splitItems: readonly SplitItem[];
}

/** One judge of a jury. */
interface JuryMember {
  readonly name: string;
  readonly config: string;
  readonly passes: number;
  readonly calls: number;
  /** Null where the provider reports none. */
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly dissent: JudgeDissent;
}

/** An item on which a jury splits. */
interface SplitItem {
  readonly id: string;
  readonly repeat: number;
  readonly trait: string;
  readonly itemId: string;
  readonly instruction: string;
  /** What each judge says, its passes settled; null where it gave no usable verdict. */
  readonly votes: Readonly<Record<string, Verdict | null>>;
  /** What the jury says; null without a quorum. */
  readonly verdict: string | null;
}

/** The jury whose verdicts are scored; null for a single judge. */
export function juryReport(
  file: Pick<RunFile, 'calls'>,
  {
    answers,
    judgements,
    traitsOf,
  }: {
    readonly answers: readonly JudgedAnswer[];
    readonly judgements: Judgements;
    readonly traitsOf: (questionId: string) => readonly QuestionTrait[];
  },
): Jury | null {
  const { jury, juryName } = judgements;
  if (juryName === null) return null;
  const names = jury.map(({ name }) => name);
  const items = answers
    .filter(({ state }) => state === 'answered')
    .flatMap(({ id, repeat }) =>
      traitsOf(id).flatMap((entry) => {
        if (entry.scoredBy !== 'items') return [];
        const verdictsOf = (judge: string, pass: number) => {
          const outcome = judgements.outcome({ recordId: id, repeat, judge, pass, rubric: entry.rubric });
          return new Map((outcome?.verdicts ?? []).map((given) => [given.id, given.verdict]));
        };
        const said = jury.map(({ name, passes }) =>
          Array.from({ length: passes }, (_, pass) => verdictsOf(name, pass)),
        );
        const decided = verdictsOf(juryName, 0);
        return itemsOf(entry.trait).map(
          (item): SplitItem => ({
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
