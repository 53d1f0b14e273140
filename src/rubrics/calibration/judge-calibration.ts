import { cohenKappa, DEFAULT_LEVEL, wilsonInterval } from '../../statistics/index.ts';
import type { RubricItem } from '../traits/metric-trait.ts';
import { textKey } from '../traits/metric-trait-rules.ts';
import { isVerdict, type Verdict } from '../verdict.ts';
import type { HumanLabel } from './human-labels.ts';

/** What a judge said of the answer to one question. */
export interface JudgedQuestion {
  readonly questionId: string;
  /** The items of all its metric traits: `itemsOf`. */
  readonly items: readonly RubricItem[];
  /** A word that is no verdict counts as none. */
  readonly verdicts: readonly { readonly id: string; readonly verdict: string }[];
}

/** A share with what it rests on. */
export interface JudgeShare {
  readonly value: number | null;
  readonly reason: string | null;
  readonly n: number;
  readonly interval: { readonly lower: number; readonly upper: number; readonly level: number } | null;
}

/** A judge against people, on one trait or on all. */
export interface JudgeAgainstHumans {
  /** Over the four verdicts; null where both used one verdict only. */
  readonly kappa: number | null;
  /** Of the items that are present to people: the share the judge found. */
  readonly sensitivity: JudgeShare;
  /** Of the items that are absent or contradicted to people: the share of which the judge did not say present. */
  readonly specificity: JudgeShare;
  /** Items with a label and a verdict; kappa rests on these. */
  readonly nCompared: number;
  /** Of these, unclear to one side or the other: in neither share. */
  readonly nUnclear: number;
  /** Labelled items on which the judge gave no usable verdict. */
  readonly nUnusable: number;
}

/** A judge's verdicts against those of people. */
export interface JudgeCalibration {
  readonly overall: JudgeAgainstHumans;
  readonly byTrait: Readonly<Record<string, JudgeAgainstHumans>>;
  /** Labels that fit nothing that was judged, or that label an item again, with the reason; they count nowhere. */
  readonly unmatched: readonly { readonly label: HumanLabel; readonly reason: string }[];
}

interface Pair {
  readonly traitName: string;
  readonly human: Verdict;
  /** Null where the judge gave nothing usable. */
  readonly judge: Verdict | null;
}

/**
 * How a judge does against people's labels: Cohen's kappa over the verdicts, sensitivity and specificity of "present", for each trait and over all.
 *
 * @example
 * ```ts
 * const trait = new MetricRubricTrait({ name: 'BCL2', metrics: ['recall'], tpInstructions: ['Mentions BCL2', 'Mentions BAX'] });
 * const items = itemsOf(trait);
 * const verdicts = items.map(({ id }) => ({ id, verdict: 'absent', quotes: [], reason: null }));
 * const labels = parseHumanLabels(`
 *   {"question_id":"q1","trait":"BCL2","instruction":"mentions BCL2","verdict":"present"}
 *   {"question_id":"q1","trait":"BCL2","instruction":"mentions BAX","verdict":"absent"}`);
 * const { overall } = judgeCalibration(labels, [{ questionId: 'q1', items, verdicts }]);
 * [overall.sensitivity.value, overall.specificity.value, overall.kappa] // => [0, 1, 0]
 * ```
 */
export function judgeCalibration(
  labels: readonly HumanLabel[],
  judged: readonly JudgedQuestion[],
  { level = DEFAULT_LEVEL }: { readonly level?: number } = {},
): JudgeCalibration {
  const questions = new Map(judged.map((question) => [question.questionId, question]));
  const firstLines = new Map<string, number>();
  const unmatched: { label: HumanLabel; reason: string }[] = [];
  const pairs: Pair[] = [];
  for (const label of labels) {
    const question = questions.get(label.questionId);
    const item = question?.items.find((candidate) => isNamed(candidate, label.item));
    const key = JSON.stringify([label.questionId, item?.id]);
    const first = firstLines.get(key);
    if (question === undefined) unmatched.push({ label, reason: 'no_such_question' });
    else if (item === undefined) unmatched.push({ label, reason: 'no_such_item' });
    else if (first !== undefined) unmatched.push({ label, reason: `labelled_already_in_line_${first}` });
    else {
      firstLines.set(key, label.line);
      pairs.push({ traitName: item.traitName, human: label.verdict, judge: judgeVerdict(question, item.id) });
    }
  }
  const byTrait = Map.groupBy(pairs, ({ traitName }) => traitName);
  return {
    overall: against(pairs, level),
    byTrait: Object.fromEntries([...byTrait].map(([name, own]) => [name, against(own, level)])),
    unmatched,
  };
}

function isNamed(item: RubricItem, named: HumanLabel['item']): boolean {
  if ('id' in named) return item.id === named.id;
  return (
    textKey(item.traitName) === textKey(named.trait) &&
    textKey(item.instruction) === textKey(named.instruction)
  );
}

function judgeVerdict({ verdicts }: JudgedQuestion, id: string): Verdict | null {
  const found = verdicts.find((verdict) => verdict.id === id)?.verdict;
  return isVerdict(found) ? found : null;
}

function against(pairs: readonly Pair[], level: number): JudgeAgainstHumans {
  const compared = pairs.filter((pair): pair is Pair & { judge: Verdict } => pair.judge !== null);
  const clear = compared.filter(({ human, judge }) => human !== 'unclear' && judge !== 'unclear');
  const positive = clear.filter(({ human }) => human === 'present');
  const negative = clear.filter(({ human }) => human !== 'present');
  return {
    kappa: cohenKappa(
      compared.map(({ human }) => human),
      compared.map(({ judge }) => judge),
    ),
    sensitivity: share(positive, ({ judge }) => judge === 'present', 'no_positive_labels', level),
    specificity: share(negative, ({ judge }) => judge !== 'present', 'no_negative_labels', level),
    nCompared: compared.length,
    nUnclear: compared.length - clear.length,
    nUnusable: pairs.length - compared.length,
  };
}

function share(
  pairs: readonly Pair[],
  agrees: (pair: Pair) => boolean,
  undefinedReason: string,
  level: number,
): JudgeShare {
  const n = pairs.length;
  if (n === 0) return { value: null, reason: undefinedReason, n, interval: null };
  const part = pairs.filter(agrees).length;
  const [lower, upper] = wilsonInterval(part, n, level)!;
  return { value: part / n, reason: null, n, interval: { lower, upper, level } };
}
