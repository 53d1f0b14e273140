import { argumentError } from '../../core/errors.ts';
import type { TypedCheck } from '../checks/typed-check.ts';
import type { JudgeItem } from '../verdict.ts';

/** A property of the answer as a whole that a judge is asked for, in the same call as the items: an LLM trait without what a judge need not know. */
export type AskedTrait = { readonly name: string; readonly description: string } & (
  | { readonly kind: 'boolean' }
  | { readonly kind: 'score'; readonly min: number; readonly max: number }
  | { readonly kind: 'literal'; readonly classes: readonly string[] }
);

export type TraitValue = boolean | number | string;

/** Asked with every answer. A user's trait cannot have this name: theirs have no dot. */
export const ABSTENTION_TRAIT: AskedTrait = {
  name: 'krisis.abstained',
  kind: 'boolean',
  description:
    'The answer declines to answer the question, defers to a professional instead of answering, or says that the question cannot be answered. An answer that answers and also advises to see a professional is false.',
};

/** All traits of a call, the abstention first. Names are told apart without case, as a judge may change it. */
export function traitsToAsk(llmTraits: readonly AskedTrait[] = []): AskedTrait[] {
  const traits = [ABSTENTION_TRAIT, ...llmTraits];
  const seen = new Set<string>();
  for (const { name } of traits) {
    if (seen.has(traitKey(name))) {
      throw argumentError(
        `trait ${JSON.stringify(name)} is asked twice; expected names that differ in more than case: rename one`,
        name,
      );
    }
    seen.add(traitKey(name));
  }
  return traits;
}

export function traitKey(name: string): string {
  return name.trim().toLowerCase();
}

/** The values of a trait, in the words of the prompt. */
export function valuesText(trait: AskedTrait): string {
  if (trait.kind === 'boolean') return 'true or false';
  if (trait.kind === 'score') return `a number from ${trait.min} to ${trait.max}`;
  return `one of ${trait.classes.map((name) => JSON.stringify(name)).join(', ')}`;
}

/** The value as the trait has it, or undefined where it is none of its values. A value written as text is taken for what it says. */
export function readTraitValue(trait: AskedTrait, value: unknown): TraitValue | undefined {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : null;
  if (trait.kind === 'boolean') {
    if (typeof value === 'boolean') return value;
    return text === 'true' ? true : text === 'false' ? false : undefined;
  }
  if (trait.kind === 'score') {
    const number = text === null || text === '' ? value : Number(text);
    return typeof number === 'number' && number >= trait.min && number <= trait.max ? number : undefined;
  }
  return text === null ? undefined : trait.classes.find((name) => name.trim().toLowerCase() === text);
}

/** An item as it is put to a judge. Nothing here, the id included, may say whether it is required or forbidden. */
export interface AskedItem extends JudgeItem {
  /** Background that holds for this item and not for all of the call: the description of its trait. */
  readonly scope?: string | null;
  /** Ask for every place where the answer says it, not for one: `repeated_extraction: false`. */
  readonly allQuotes?: boolean;
  /** Ask which value the answer gives, and compare that value in code. The judge does not learn what is expected. */
  readonly check?: TypedCheck;
}

/** What one call asks for: all of it, or a part. */
export interface AskedPart {
  readonly items: readonly AskedItem[];
  readonly traits: readonly AskedTrait[];
}

/** What a judge is asked about one answer. */
export interface JudgeQuestion {
  readonly question: string;
  /** The answer as the model gave it, untouched. */
  readonly answer: string;
  /** Background for all items; never itself something to look for. */
  readonly description?: string | null;
  readonly items: readonly AskedItem[];
  /** Asked in the same call; the abstention is asked besides. */
  readonly llmTraits?: readonly AskedTrait[];
  readonly seed: number;
  /** 0, 1, 2, ...: each pass asks in an order of its own. */
  readonly pass: number;
  /** Rules of your own, in place of the built-in opening and rules of the prompt. Default: null, the built-in ones. */
  readonly rules?: string | null;
}
