import { createHash } from 'node:crypto';

/** The versions of a multiple-choice set that are made by a rule. */
export const VARIANTS = ['no_right_option', 'evidence_removed', 'shuffled'] as const;
export type VariantName = (typeof VARIANTS)[number];

/** How much of the context `evidence_removed` withholds, from its beginning. */
export const WITHHELD = ['first_third', 'two_thirds', 'all'] as const;
export type Withheld = (typeof WITHHELD)[number];

/** One question with its options, or with none where the answers are the labels of the suite. */
export interface Choice {
  readonly id: string;
  readonly subject: string;
  readonly question: string;
  /** Texts in their order. */
  readonly context: readonly string[];
  readonly options: readonly string[];
  /** The place of the right option, or the label itself; null where no answer is right. */
  readonly right: number | string | null;
  /** Whether deferring is right; null where nothing is claimed. */
  readonly shouldAbstain: boolean | null;
  readonly reason: string | null;
}

/** A number from 0 to below 1 that depends on these texts alone. */
function draw(seed: number, what: string, id: string): number {
  return createHash('sha256').update(`${seed}:${what}:${id}`).digest().readUInt32BE(0) / 2 ** 32;
}

/** An option that speaks of others: it changes its meaning where they change or move. */
const SPEAKS_OF_OTHERS = [
  /\b(?:all|none|any|both|neither|either|one|some|two|more)(?: of)?(?: the)? (?:above|these|them|those|options|others|following|choices|answers)\b/i,
  /^(?:all|none|neither|both)(?: (?:is|are) .*)?\.?$/i,
  /^(?:both |only |neither |either )?\(?[A-E]\)?(?:\s*(?:,|and|or|nor|&|\+)\s*\(?[A-E]\)?)+$/i,
];

function refersToOthers(text: string): boolean {
  return SPEAKS_OF_OTHERS.some((pattern) => pattern.test(text.trim()));
}

const folded = (text: string) => text.trim().toLowerCase().replace(/\s+/g, ' ');

/**
 * Takes the right option away from a share of the questions, drawn by their ids: in its place stands an option of another question of the same subject. Declining is then
 * right, and answering is right everywhere else. Questions with an option that speaks of others ("none of the above") keep theirs.
 *
 * @example
 * ```ts
 * const choice = (id, ...options) => ({ id, subject: '', question: '?', context: [], options, right: 0, shouldAbstain: null, reason: null });
 * const change = withoutRightOption([['', ['folate', 'iron', 'zinc']]], { share: 0.999, seed: 42 });
 * change(choice('a', 'iron', 'zinc')) // => { id: 'a', subject: '', question: '?', context: [], options: ['folate', 'zinc'], right: null, shouldAbstain: true, reason: 'no_right_option' }
 * change(choice('b', 'iron', 'none of these')).shouldAbstain // => false
 * ```
 */
export function withoutRightOption(
  pools: Iterable<readonly [subject: string, options: Iterable<string>]>,
  { share, seed }: { readonly share: number; readonly seed: number },
): (choice: Choice) => Choice {
  const bySubject = new Map(
    [...pools].map(([subject, options]) => [subject, [...options].filter((text) => !refersToOthers(text))]),
  );
  return (choice) => {
    const { id, subject, options, right } = choice;
    const unchanged = { ...choice, shouldAbstain: false };
    if (typeof right !== 'number' || draw(seed, 'no_right_option', id) >= share) return unchanged;
    if (options.some(refersToOthers)) return unchanged;
    const pool = bySubject.get(subject) ?? [];
    const own = new Set(options.map(folded));
    const start = Math.floor(draw(seed, 'other_option', id) * pool.length);
    const other = [...pool.slice(start), ...pool.slice(0, start)].find((text) => !own.has(folded(text)));
    if (other === undefined) return unchanged;
    return {
      ...choice,
      options: options.with(right, other),
      right: null,
      shouldAbstain: true,
      reason: 'no_right_option',
    };
  };
}

/** The options in another order, drawn by the id. Questions with an option that speaks of others keep their order. */
export function shuffledOptions({ seed }: { readonly seed: number }): (choice: Choice) => Choice {
  return (choice) => {
    const { id, options, right } = choice;
    if (typeof right !== 'number' || options.some(refersToOthers)) return choice;
    const order = options
      .map((text, place) => ({ place, at: draw(seed, `shuffled:${place}:${text}`, id) }))
      .sort((a, b) => a.at - b.at)
      .map(({ place }) => place);
    return { ...choice, options: order.map((place) => options[place]!), right: order.indexOf(right) };
  };
}

const SHARES: Readonly<Record<Withheld, number>> = { first_third: 1 / 3, two_thirds: 2 / 3, all: 1 };

/** A question that speaks of a patient, or of something shown, whom only the context describes. */
const NEEDS_CONTEXT =
  /\b(?:th(?:is|e|ese|ose)\s+(?:\w+\s+){0,2}?(?:patients?|(?:wo)?m[ae]n|boys?|girls?|child(?:ren)?|infants?|newborns?|neonates?|bab(?:y|ies)|adolescents?|mothers?|fathers?|individuals?|cases?|family)|(?:patient|woman|man|boy|girl|child|infant|newborn|mother)['\u2019]s|his|her|she|he|him)\b/i;

/** Whether a question cannot be understood without its context: it speaks of a person who is described nowhere else. */
function needsContext(question: string): boolean {
  return NEEDS_CONTEXT.test(question);
}

/**
 * Withholds the context from its beginning, by sentences. Most questions can still be answered by what is left or known, so whether deferring is right is not claimed, except where all is
 * withheld and the question needs its context.
 *
 * @example
 * ```ts
 * const choice = { id: 'a', subject: '', question: 'What causes her fever?', context: ['One. Two.', 'Three.'], options: ['x', 'y'], right: 0, shouldAbstain: null, reason: null };
 * withoutEvidence({ withheld: 'first_third' })(choice).context // => ['Two. Three.']
 * withoutEvidence({ withheld: 'all' })(choice).shouldAbstain // => true
 * ```
 */
export function withoutEvidence({ withheld }: { readonly withheld: Withheld }): (choice: Choice) => Choice {
  return (choice) => {
    const sentences = choice.context.flatMap(sentencesIn);
    const left = sentences.slice(Math.round(sentences.length * SHARES[withheld]));
    const mustDefer = withheld === 'all' && sentences.length > 0 && needsContext(choice.question);
    return {
      ...choice,
      context: left.length === 0 ? [] : [left.join(' ')],
      ...(mustDefer && { shouldAbstain: true, reason: 'evidence_removed' }),
    };
  };
}

/** Sentences end before white space and a capital letter or digit. */
function sentencesIn(text: string): string[] {
  return text
    .split(/(?<=[.!?]["')\]]?)\s+(?=["'([]?[\p{Lu}\d])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
