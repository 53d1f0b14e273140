import { hasSameItems } from '../../core/collections.ts';
import type { FeatureValue } from '../../core/patient-record.ts';
import type { Features } from '../../suites/task.ts';

/** The lines of a record while they are put together, or lines inside a line. */
export type Lines = { [label: string]: FeatureValue };

/** One line of a record, or one value of the case that is read back from its lines. */
export interface Field<P, V = unknown> {
  /** What a reader sees before the value, with its unit. */
  readonly label?: string | ((person: P) => string);
  /** What a reader sees of a person; undefined where the record has no such line. Default: the field has no line of its own. */
  readonly show?: (person: P) => FeatureValue | undefined;
  /** Reads the value back from its own line, or from all lines. Default: the line decides nothing. */
  readonly read?: (value: FeatureValue | undefined, features: Features) => V;
}

/** The fields of a task in the order of their lines. Each value of the case has a field of its name. */
type Fields<P, Case> = {
  readonly [Key in keyof Case]: Field<P, Case[Key]> & Required<Pick<Field<P, Case[Key]>, 'read'>>;
} & { readonly [key: string]: Field<P> };

/**
 * Makes the two directions of a task's table of fields.
 *
 * @example
 * ```ts
 * const form = recordForm<{ years: number }, { age: number | null }>({
 *   age: { label: 'Age (years)', show: ({ years }) => years, read: numberOrNull },
 * });
 * form.show({ years: 50 }) // => { 'Age (years)': 50 }
 * form.read({ 'Age (years)': 50 }) // => { age: 50 }
 * ```
 */
export function recordForm<P, Case>(fields: Fields<P, Case>) {
  const entries: readonly (readonly [string, Field<P>])[] = Object.entries(fields);
  return {
    show(person: P): Features {
      const labels: string[] = [];
      const values: FeatureValue[] = [];
      for (const [, { label = '', show }] of entries) {
        const value = show?.(person);
        if (value === undefined) continue;
        labels.push(typeof label === 'string' ? label : label(person));
        values.push(value);
      }
      return toLines(labels, values);
    },
    /** Reads a case back from what is shown, and from nothing else. */
    read(features: Features): Case {
      const values: { [key: string]: unknown } = {};
      for (const [key, { label, read }] of entries)
        if (read) values[key] = read(typeof label === 'string' ? features[label] : undefined, features);
      return values as Case;
    },
  };
}

/** Empty lines by their labels: the latest lists of each length. */
const forms = new Map<number, { readonly labels: readonly string[]; readonly lines: Lines }[]>();
const MAX_FORMS = 8;

/**
 * Lines with these labels. An object that is given more than a dozen keys one by one becomes a hash table, which takes four times the
 * memory and is slow to hash and to store, so that lines are copies of a form with all of its keys.
 */
export function toLines(labels: readonly string[], values: readonly FeatureValue[]): Lines {
  const lines = { ...emptyLines(labels) };
  for (let i = 0; i < labels.length; i++) lines[labels[i]!] = values[i]!;
  return lines;
}

function emptyLines(labels: readonly string[]): Lines {
  const ofLength = forms.get(labels.length) ?? [];
  forms.set(labels.length, ofLength);
  for (const form of ofLength) if (hasSameItems(form.labels, labels)) return form.lines;
  // Only an object that is parsed has all of its keys from the start.
  const lines = JSON.parse(JSON.stringify(Object.fromEntries(labels.map((label) => [label, null])))) as Lines;
  if (ofLength.length === MAX_FORMS) ofLength.pop();
  ofLength.unshift({ labels, lines });
  return lines;
}

export function numberOrNull(value: FeatureValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

/** The lines inside a line; null where it holds text or nothing. */
export function linesIn(value: FeatureValue | undefined): Lines | null {
  return typeof value === 'object' && value !== null ? (value as Lines) : null;
}

export const CONTEXT = 'Clinical context';
export const NO_CONTEXT = 'nothing special recorded';

/** Whether the record mentions anything under clinical context, of consequence or not. */
export function hasContextLine(features: Features): boolean {
  return (features[CONTEXT] ?? NO_CONTEXT) !== NO_CONTEXT;
}
