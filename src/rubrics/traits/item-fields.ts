import { nearNames, quoted, shown } from '../../core/index.ts';
import { readCheck, type TypedCheck } from '../checks/typed-check.ts';

/** What an item can carry besides its instruction. None of it is shown to a judge. */
export interface ItemFields {
  /** Weight in the weighted score: above 0 for a required item, below 0 for a forbidden one. Default: 1 and -1. */
  readonly points?: number;
  /** One failed critical item fails the question. Default: false. */
  readonly critical?: boolean;
  /** The axis that the item belongs to, such as accuracy or communication. Default: none. */
  readonly axis?: string;
  /** Other groups that it belongs to. Default: none. */
  readonly tags?: readonly string[];
  /** How severe the harm is if a required item is left out or contradicted, or a forbidden one is said; above 0. Default: 1. */
  readonly harm?: number;
  /** Where the item comes from: guideline and year. Default: none. */
  readonly source?: string;
  /** What code checks on the value that the judge copies from the answer. Default: none; the judge decides. */
  readonly check?: TypedCheck;
}

/** An item with fields of its own, in place of a plain line. */
export interface ItemOptions extends ItemFields {
  /** What the answer should say, or must not say. */
  readonly instruction: string;
}

const NAMES = ['instruction', 'points', 'critical', 'axis', 'tags', 'harm', 'source', 'check'] as const;

/** Whether an entry of a list is meant as an item with fields. YAML also makes an object of a line with ": " in it. */
export function isItemObject(entry: unknown): entry is Readonly<Record<string, unknown>> {
  return typeof entry === 'object' && entry !== null && Object.hasOwn(entry, 'instruction');
}

/** Reads the fields of an item; what is wrong becomes a problem after its `place`. Fields that say nothing are left out, so that an item without fields hashes as a plain line. */
export function readItemFields(
  given: Readonly<Record<string, unknown>>,
  kind: 'required' | 'forbidden',
  place: string,
  problems: string[],
): ItemFields {
  const problem = (text: string) => problems.push(`${place}: ${text}`);
  for (const key of Object.keys(given)) {
    if (NAMES.some((name) => name === key)) continue;
    const near = nearNames(key, NAMES)[0];
    problem(
      `unknown field ${quoted(key)}; ${near === undefined ? 'remove it.' : `did you mean ${near}?`} The fields of an item are ${NAMES.join(', ')}`,
    );
  }
  const { points, critical, harm, check } = given;
  if (points !== undefined) checkPoints(points, kind, problem);
  if (critical !== undefined && typeof critical !== 'boolean')
    problem(`critical is ${shown(critical)}; expected true or false`);
  if (harm !== undefined && !(typeof harm === 'number' && Number.isFinite(harm) && harm > 0))
    problem(`harm is ${shown(harm)}; expected a number above 0`);
  const axis = textOf(given.axis, 'axis', problem);
  const source = textOf(given.source, 'source', problem);
  const tags = tagsOf(given.tags, problem);
  const typed = check === undefined ? null : readCheck(check, (text) => problem(`check ${text}`));
  return {
    ...(points !== undefined && { points: points as number }),
    ...(critical === true && { critical }),
    ...(axis !== null && { axis }),
    ...(tags.length > 0 && { tags }),
    ...(harm !== undefined && { harm: harm as number }),
    ...(source !== null && { source }),
    ...(typed !== null && { check: typed }),
  };
}

function checkPoints(points: unknown, kind: 'required' | 'forbidden', problem: (text: string) => void): void {
  if (typeof points !== 'number' || !Number.isFinite(points) || points === 0) {
    problem(
      `points is ${shown(points)}; expected a number, above 0 for what is wanted and below 0 for what is harmful`,
    );
  } else if (kind === 'required' && points < 0) {
    problem(
      `points is ${points} on a required item; expected points above 0: move an item that is harmful if said to the forbidden ones`,
    );
  } else if (kind === 'forbidden' && points > 0) {
    problem(
      `points is ${points} on a forbidden item; expected points below 0: move an item that is wanted to the required ones`,
    );
  }
}

function textOf(value: unknown, name: string, problem: (text: string) => void): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  problem(`${name} is ${shown(value)}; expected text`);
  return null;
}

function tagsOf(value: unknown, problem: (text: string) => void): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((tag) => typeof tag === 'string' && tag.trim() !== ''))
    return [...new Set(value.map((tag: string) => tag.trim()))];
  problem(`tags is ${shown(value)}; expected a list of names`);
  return [];
}
