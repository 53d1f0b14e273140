import type { JudgeItem } from '../verdict.ts';
import type { AskedTrait } from './asked-trait.ts';

/** An item as it is put to a judge. Nothing here, the id included, may say whether it is required or forbidden. */
export interface AskedItem extends JudgeItem {
  /** Background that holds for this item and not for all of the call: the description of its trait. */
  readonly scope?: string | null;
  /** Ask for every place where the answer says it, not for one: `repeated_extraction: false`. */
  readonly allQuotes?: boolean;
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
}
