import type { Question } from './wire-format.ts';

export type Label = string | number;

interface Case {
  /** Null in a single question. */
  readonly id: string | null;
  readonly text: string;
}

/** What Krisis wants to know. */
export interface Asked {
  readonly batch: boolean;
  readonly cases: readonly Case[];
  readonly labels: readonly Label[];
  /** Whether an abstention may leave the prediction out. */
  readonly mayBeNull: boolean;
  /** The reasons for deferring to choose from; null where neither a reason nor reasoning is asked for. */
  readonly reasons: readonly string[] | null;
}

const CASE_IN_BATCH = /<case id="([^"]*)">([\s\S]*?)<\/case>/g;
const SINGLE_CASE = /<case>([\s\S]*?)<\/case>/;

/** Labels and form come from the schema, the cases from the text; without a schema the text decides the form too. */
export function whatIsAsked(
  { schema, system, text }: Question,
  labelsWithoutSchema: readonly Label[],
): Asked {
  const batch = schema === null ? text.includes('<case id="') : propertyOf(schema, 'results') !== null;
  const cases = batch
    ? Array.from(text.matchAll(CASE_IN_BATCH), ([, id, inner]) => ({ id: id!, text: inner!.trim() }))
    : [{ id: null, text: (SINGLE_CASE.exec(text)?.[1] ?? text).trim() }];
  const prediction = schema === null ? null : propertyOf(schema, 'prediction');
  const reasons = schema === null ? reasonsIn(system) : reasonsOf(propertyOf(schema, 'reason'));
  if (prediction === null) return { batch, cases, labels: labelsWithoutSchema, mayBeNull: true, reasons };
  const { labels, mayBeNull } = alternatives(prediction);
  return { batch, cases, labels: labels.length > 0 ? labels : labelsWithoutSchema, mayBeNull, reasons };
}

function reasonsOf(reason: object | null): string[] | null {
  return reason === null ? null : alternatives(reason).labels.map(String);
}

/** The reasons that a prompt lists. */
function reasonsIn(system: string): string[] | null {
  const line = /^- reason: .*$/m.exec(system)?.[0];
  return line === undefined ? null : Array.from(line.matchAll(/"([^"]+)"/g), ([, code]) => code!);
}

/** The schema of a property of this name, however deep it is. */
export function propertyOf(schema: unknown, name: string): object | null {
  if (typeof schema !== 'object' || schema === null) return null;
  const { properties } = schema as { properties?: Record<string, object> };
  const found = properties?.[name];
  if (found !== undefined) return found;
  for (const inner of Object.values(schema)) {
    const deeper = propertyOf(inner, name);
    if (deeper !== null) return deeper;
  }
  return null;
}

interface ValueSchema {
  readonly type?: string | readonly string[];
  readonly nullable?: boolean;
  readonly enum?: readonly (Label | null)[];
  readonly anyOf?: readonly ValueSchema[];
  readonly oneOf?: readonly ValueSchema[];
}

function alternatives(schema: ValueSchema): Pick<Asked, 'labels' | 'mayBeNull'> {
  const own = schema.enum ?? [];
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(alternatives);
  return {
    labels: [own.filter((label) => label !== null), ...inner.map(({ labels }) => labels)].flat(),
    mayBeNull:
      schema.nullable === true ||
      [schema.type].flat().includes('null') ||
      own.includes(null) ||
      inner.some((alternative) => alternative.mayBeNull),
  };
}
