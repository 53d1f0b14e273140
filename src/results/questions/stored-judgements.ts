import type { JudgeOutcome } from '../../rubrics/index.ts';
import type { RunFile, StoredJudgement } from '../../store/index.ts';

/** The pass that is scored. */
export const SCORED_PASS = 0;

/** A judge whose judgements a run holds. */
export interface JudgePresent {
  readonly name: string;
  readonly passes: number;
  readonly nJudgements: number;
  /** Of the wording it was asked in; empty where no model was asked. */
  readonly promptHashes: readonly string[];
}

/** What a judgement is of. */
type Place = Omit<StoredJudgement, 'outcome'>;

/** The judgements of a run, by what they are of. */
export interface Judgements {
  /** The judges, by name; the user's functions are not among them. */
  readonly judges: readonly JudgePresent[];
  outcome(place: Place): Partial<JudgeOutcome> | null;
  /** The judge whose verdicts on a rubric are scored; null where no judge has judged by it. */
  judgeOf(rubric: string): string | null;
}

/**
 * Reads the judgements of a run. With `wanted`, only that judge's count; without, those of the judge that the run names, and where that one has not judged by a rubric at all
 * (its traits came with another judge), those of the first who has.
 */
export function storedJudgements(
  file: RunFile,
  { wanted, named }: { readonly wanted: string | null; readonly named: string | null },
): Judgements {
  const outcomes = new Map<string, Partial<JudgeOutcome>>();
  const judges = new Map<string, { passes: number; nJudgements: number; promptHashes: Set<string> }>();
  const judgesOf = new Map<string, Set<string>>();
  for (const { outcome, ...place } of file.judgements()) {
    const said = withQuotes(outcome as Partial<JudgeOutcome>);
    outcomes.set(keyOf(place), said);
    // Entries of our own: functions, and lists in place of verdicts.
    if (place.judge.startsWith('krisis/')) continue;
    const known = judges.get(place.judge) ?? { passes: 0, nJudgements: 0, promptHashes: new Set() };
    judges.set(place.judge, known);
    known.passes = Math.max(known.passes, place.pass + 1);
    known.nJudgements += 1;
    if (said.promptHash) known.promptHashes.add(said.promptHash);
    judgesOf.set(place.rubric, (judgesOf.get(place.rubric) ?? new Set()).add(place.judge));
  }
  return {
    judges: [...judges]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { promptHashes, ...rest }]) => ({
        name,
        ...rest,
        promptHashes: [...promptHashes].sort(),
      })),
    outcome: (place) => outcomes.get(keyOf(place)) ?? null,
    judgeOf: (rubric) => {
      const own = judgesOf.get(rubric) ?? new Set();
      if (wanted !== null) return own.has(wanted) ? wanted : null;
      return named !== null && own.has(named) ? named : ([...own].sort()[0] ?? null);
    },
  };
}

/** A quote from an answer whose text is not kept is stored as its offsets, and shown as them. */
function withQuotes(outcome: Partial<JudgeOutcome>): Partial<JudgeOutcome> {
  const { verdicts } = outcome;
  if (!verdicts?.some(({ quotes }) => quotes.some(({ text }) => text === undefined))) return outcome;
  return {
    ...outcome,
    verdicts: verdicts.map((verdict) => ({
      ...verdict,
      quotes: verdict.quotes.map((quote) => ({
        ...quote,
        text: quote.text ?? `[${quote.start}-${quote.end}]`,
      })),
    })),
  };
}

function keyOf({ recordId, repeat, judge, pass, rubric }: Place): string {
  return JSON.stringify([recordId, repeat, judge, pass, rubric]);
}
