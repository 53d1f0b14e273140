import { DOMAINS } from './domains.ts';

/** A feature that a reason to defer or to act rests on. */
export interface DecisiveFeature {
  readonly feature: string;
  /** The reasons that rest on it, by their codes. */
  readonly reasons: readonly string[];
}

/**
 * The features of a case that its reasons to defer or to act rest on, those of the first reason first. Domains name them; of a reason that no domain knows, those that share a word with it.
 *
 * @example
 * ```ts
 * const features = { 'Age (years)': 31, 'Serum potassium (mEq/L)': 7.2, Symptoms: 'none' };
 * decisiveFeatures(['potassium_6.5_or_more'], features) // => [{ feature: 'Serum potassium (mEq/L)', reasons: ['potassium_6.5_or_more'] }]
 * decisiveFeatures(['symptoms_alarming'], features) // => [{ feature: 'Symptoms', reasons: ['symptoms_alarming'] }]
 * ```
 */
export function decisiveFeatures(
  reasons: readonly string[],
  features: Readonly<Record<string, unknown>>,
): DecisiveFeature[] {
  const found = Object.keys(features).flatMap((feature) => {
    const resting = [...new Set(reasons)].filter((reason) => restsOn(reason, feature));
    return resting.length === 0 ? [] : [{ feature, reasons: resting }];
  });
  return found.toSorted((a, b) => reasons.indexOf(a.reasons[0]!) - reasons.indexOf(b.reasons[0]!));
}

function restsOn(reason: string, feature: string): boolean {
  const named = EVIDENCE.get(reason);
  const name = withoutUnit(feature);
  if (named !== undefined) return named.has(name);
  const words = wordsIn(name);
  return wordsIn(reason).some((word) => words.includes(word));
}

/** Several domains may have the same reason. */
const EVIDENCE: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ...Map.groupBy(
      DOMAINS.flatMap(({ evidence = {} }) => Object.entries(evidence)),
      ([reason]) => reason,
    ),
  ].map(([reason, entries]) => [reason, new Set(entries.flatMap(([, names]) => names))]),
);

/** `Serum potassium` of `Serum potassium (mEq/L)`. */
function withoutUnit(feature: string): string {
  return feature.replace(/ \([^()]*\)$/, '');
}

/** Words that say how a value lies, not which value. */
const COMMON = new Set(
  'above acute after before below data from high less level line measured missing more near only over threshold under value with without'.split(
    ' ',
  ),
);
const MIN_WORD = 4;

function wordsIn(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.filter((word) => word.length >= MIN_WORD && !COMMON.has(word));
}
