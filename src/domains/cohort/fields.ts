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
      const lines: Lines = {};
      for (const [, { label = '', show }] of entries) {
        const value = show?.(person);
        if (value !== undefined) lines[typeof label === 'string' ? label : label(person)] = value;
      }
      return lines;
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
