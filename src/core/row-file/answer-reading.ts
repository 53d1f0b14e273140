import { KrisisError } from '../errors.ts';
import type { EvaluationResult } from '../evaluation-result.ts';
import { type Label, type LabelKey, labelKey } from '../label.ts';
import { quoted } from '../plain-text.ts';
import { counted } from '../wording.ts';

/** How answers that another tool wrote are read. */
export interface AnswerReading {
  /** Predictions that mean that the model defers, e.g. `['unsure', 'unknown']`. Default: none. */
  readonly abstain?: readonly string[] | undefined;
  /** The prediction, or a pattern of predictions, that is a refusal. Default: none. */
  readonly refused?: string | RegExp | undefined;
  /** The confidence that means certainty: 100 for percentages. Default: 1. */
  readonly confidenceScale?: number | undefined;
  /** Labels that are known to exist, whether or not a row has them as its truth. Default: none. */
  readonly knownLabels?: readonly Label[] | undefined;
}

/** Something that a reader of the scores must know about the file, and that is no error. `value` is what a command can be made of. */
export interface RowNotice {
  readonly code:
    | 'predicted_only'
    | 'no_truth'
    | 'near_columns'
    | 'repeats'
    | 'one_label'
    | 'unused_label'
    | 'empty_predictions';
  readonly message: string;
  readonly value?: unknown;
}

/** More different labels than this are free text, which is not looked through. */
const MAX_LABELS = 1000;
const MAX_NAMED = 5;

interface SeenLabel {
  readonly label: Label;
  n: number;
}

/** Reads the answers of one file, one row after the other, and says at its end what is odd about them. */
export function answerReader({
  abstain = [],
  refused,
  confidenceScale = 1,
  knownLabels = [],
}: AnswerReading) {
  const deferring = new Map(abstain.map((label) => [labelKey(label), { label, n: 0 }]));
  const isRefusal = refusalTest(refused);
  const truths = new Map<LabelKey, SeenLabel>();
  const predictions = new Map<LabelKey, SeenLabel>();
  const { sameNumber, spell } = spellingsOfNumbers();
  let [nConfidences, nAboveOne, highest] = [0, 0, 0];
  let [nRefused, nEmpty, nAbstained, nUnlabelled] = [0, 0, 0, 0];

  const see = (seen: Map<LabelKey, SeenLabel>, label: Label) => {
    const key = labelKey(label);
    const known = seen.get(key);
    if (known !== undefined) known.n += 1;
    else if (seen.size < MAX_LABELS) seen.set(key, { label, n: 1 });
    spell(key, label);
  };

  return {
    read(row: EvaluationResult): EvaluationResult {
      const { prediction, groundTruth, confidence, state, score } = row;
      // A row with a score has placeholders for truth and answer.
      const isScored = score != null;
      if (groundTruth !== null && !isScored) see(truths, groundTruth);
      else if (!isScored && row.metadata.should_abstain !== true) nUnlabelled += 1;
      if (confidence !== null) {
        nConfidences += 1;
        if (confidence > 1) nAboveOne += 1;
        highest = Math.max(highest, confidence);
      }
      if (state === 'abstained') nAbstained += 1;
      if (state === 'invalid' && row.stateReason === null && prediction === null) nEmpty += 1;
      const scaled =
        confidence === null || confidenceScale === 1
          ? row
          : { ...row, confidence: confidence / confidenceScale };
      if (state !== 'answered' || prediction === null) return scaled;
      const meant = deferring.get(labelKey(prediction));
      if (meant !== undefined) {
        meant.n += 1;
        return { ...scaled, state: 'abstained', abstained: true, prediction: null };
      }
      if (isRefusal(String(prediction))) {
        nRefused += 1;
        return { ...scaled, state: 'refused', prediction: null };
      }
      if (!isScored) see(predictions, prediction);
      return scaled;
    },

    /** @throws KrisisError where the confidences are on another scale than stated, or a truth means that the model defers. */
    check(name: string): void {
      for (const [key, { label }] of deferring)
        if (truths.has(key)) throw deferringTruth(name, label, truths.get(key)!.n);
      checkScale(name, confidenceScale, { n: nConfidences, nAboveOne, highest });
    },

    notices(hasAbstained: boolean): RowNotice[] {
      const names = [...predictions.values(), ...truths.values()].map(({ label }) => quoted(String(label)));
      const answers = [...new Set(names)].slice(0, 12).join(', ');
      const unused = [
        ...[...deferring.values()].filter(({ n }) => n === 0).map(({ label }) => label),
        ...(refused !== undefined && nRefused === 0 ? [String(refused)] : []),
      ];
      return [
        ...(truths.size > 0 || nUnlabelled === 0 ? [] : [NO_TRUTH]),
        ...predictedOnly(predictions, truths, knownLabels),
        ...(unused.length === 0
          ? []
          : [
              {
                code: 'unused_label' as const,
                message: `no row answers ${unused.map(quoted).join(' or ')}; the labels are: ${answers}`,
              },
            ]),
        ...(nEmpty === 0 || nAbstained > 0 || hasAbstained
          ? []
          : [
              {
                code: 'empty_predictions' as const,
                message: `${counted(nEmpty, 'prediction')} ${nEmpty === 1 ? 'is' : 'are'} empty and ${nEmpty === 1 ? 'counts' : 'count'} as wrong; if an empty one means that the model deferred, add a column abstained that says so`,
              },
            ]),
        ...(sameNumber.size === 0
          ? []
          : [
              {
                code: 'one_label' as const,
                message: `${[...sameNumber].slice(0, MAX_NAMED).join(', ')} count as the same label; if they differ, write them with a letter`,
              },
            ]),
      ];
    },
  };
}

const NO_TRUTH: RowNotice = {
  code: 'no_truth',
  message: 'no row has a ground_truth, so nothing can be said about right and wrong',
};

function deferringTruth(name: string, label: string, n: number): KrisisError {
  return rowError(
    `${name}: ${quoted(label)} was named as an answer that defers, and it is a true label of ${counted(n, 'row')}; expected an answer that is never the truth`,
    label,
  );
}

/** Collects labels that are the same number in another spelling: `03` and `3`. */
function spellingsOfNumbers() {
  const spellings = new Map<LabelKey, string>();
  const sameNumber = new Set<string>();
  const spell = (key: LabelKey, label: Label): void => {
    if (typeof key !== 'number' || typeof label === 'boolean') return;
    const text = String(label).trim();
    const first = spellings.get(key);
    if (first === undefined) spellings.set(key, text);
    else if (first !== text) sameNumber.add([first, text].map(quoted).join(' and '));
  };
  return { sameNumber, spell };
}

/** @throws KrisisError where confidences are on another scale than stated. */
function checkScale(
  name: string,
  scale: number,
  { n, nAboveOne, highest }: { readonly n: number; readonly nAboveOne: number; readonly highest: number },
): void {
  if (scale === 1 && 2 * nAboveOne > n)
    throw new KrisisError(
      `${name}: ${nAboveOne} of ${n} confidences are above 1, up to ${highest}; expected shares from 0 to 1. State their scale, which is the value that means certainty: ${highest <= 10 ? 'the highest that could be given' : '100 for percentages'}`,
      { code: 'ERR_CONFIDENCE_SCALE', value: likelyScale(highest) },
    );
  if (scale > 1 && n > 0 && highest <= 1)
    throw new KrisisError(
      `${name}: no confidence is above 1, so ${scale} cannot be their scale; leave the scale out where 0.9 means 90 %`,
      { code: 'ERR_CONFIDENCE_SCALE', value: 1 },
    );
}

function refusalTest(refused: string | RegExp | undefined): (prediction: string) => boolean {
  if (refused === undefined) return () => false;
  if (typeof refused !== 'string') return (prediction) => refused.test(prediction);
  const key = labelKey(refused);
  return (prediction) => labelKey(prediction) === key;
}

/** Answers that can never be right, unless they are not answers at all. */
function predictedOnly(
  predictions: ReadonlyMap<LabelKey, SeenLabel>,
  truths: ReadonlyMap<LabelKey, SeenLabel>,
  known: readonly Label[],
): RowNotice[] {
  if (truths.size === 0 || truths.size >= MAX_LABELS) return [];
  const scale = new Set(known.map(labelKey));
  const never = [...predictions]
    .filter(([key]) => !truths.has(key) && !scale.has(key))
    .map(([, seen]) => seen)
    .sort((a, b) => b.n - a.n);
  if (never.length === 0) return [];
  const spelled = new Map([...truths.values()].map(({ label }) => [keepLetters(label), label]));
  const listed = never.slice(0, MAX_NAMED).map(({ label, n }) => {
    const near = keepLetters(label) === '' ? undefined : spelled.get(keepLetters(label));
    return `${quoted(String(label))} (${n}${near === undefined ? '' : `; is it ${quoted(String(near))}?`})`;
  });
  const n = never.reduce((sum, seen) => sum + seen.n, 0);
  const more = never.length > MAX_NAMED ? `, and ${never.length - MAX_NAMED} more` : '';
  const others = never.filter(({ label }) => !spelled.has(keepLetters(label)));
  return [
    {
      code: 'predicted_only',
      message: `${counted(n, 'answer')} ${n === 1 ? 'is' : 'are'} never a truth and ${n === 1 ? 'counts' : 'count'} as wrong: ${listed.join(', ')}${more}${others.length === 0 ? '' : `. Does ${never.length === 1 ? 'it' : 'one of them'} mean that the model defers?`}`,
      value: others.slice(0, MAX_NAMED).map(({ label }) => String(label)),
    },
  ];
}

/** The letters and digits of a label: what is left of "YES." and "yes". */
function keepLetters(label: Label): string {
  return String(label)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function likelyScale(highest: number): number {
  return [5, 10, 100].find((scale) => highest <= scale) ?? highest;
}

function rowError(message: string, value: unknown): KrisisError {
  return new KrisisError(message, { code: 'ERR_ROW_FILE', value });
}
