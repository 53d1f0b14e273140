import { nearNames, quoted, shown } from '../../core/index.ts';
import { complain, type Fields } from './fields.ts';
import { type ItemOptions, isItemObject, readItemFields } from './item-fields.ts';
import { FULL_MATRIX_METRICS, TRAIT_METRICS, type TraitMetric } from './vocabulary.ts';

/** Texts are the same when they differ in case or outer white space only. */
export function textKey(text: string): string {
  return text.trim().toLowerCase();
}

/** The metrics of a trait, each once, in the order given. */
export function readMetrics(fields: Fields): TraitMetric[] {
  const mode = fields.value('evaluationMode') ?? 'tp_only';
  const value = fields.value('metrics');
  if (!Array.isArray(value) || value.length === 0) {
    complain(fields, 'metrics', `a list with at least one of ${TRAIT_METRICS.join(', ')}`);
    return [];
  }
  const metrics: TraitMetric[] = [];
  for (const name of new Set<unknown>(value)) {
    const known = TRAIT_METRICS.find((metric) => metric === name);
    if (known === undefined) fields.problems.push(unknownMetric(name));
    else if (mode === 'tp_only' && FULL_MATRIX_METRICS.includes(known)) {
      fields.problems.push(
        `metric ${quoted(known)} counts true negatives, which tp_only has none of; set ${fields.spell('evaluationMode')} to full_matrix and list the forbidden claims in ${fields.spell('tnInstructions')}, or remove it`,
      );
    } else metrics.push(known);
  }
  return metrics;
}

function unknownMetric(name: unknown): string {
  const near = typeof name === 'string' ? nearNames(name.trim().toLowerCase(), TRAIT_METRICS)[0] : undefined;
  const hint = near === undefined ? '' : `; write ${quoted(near)}`;
  return `metric ${shown(name)} is not known${hint}; the metrics are ${TRAIT_METRICS.join(', ')}, in lower case`;
}

/** One list of items, trimmed: a line, or an instruction with fields. `missing` is what to say when it is required and empty; null where it may be. */
export function readItems(
  fields: Fields,
  key: 'tpInstructions' | 'tnInstructions',
  missing: string | null,
): (string | ItemOptions)[] {
  const value = fields.value(key);
  if (value === undefined && missing === null) return [];
  if (!Array.isArray(value)) {
    complain(fields, key, missing ?? 'a list of lines');
    return [];
  }
  if (value.length === 0 && missing !== null) complain(fields, key, missing);
  const kind = key === 'tpInstructions' ? 'required' : 'forbidden';
  const seen = new Map<string, number>();
  return value.flatMap((entry: unknown, i) => {
    const place = `${fields.spell(key)}[${i}]`;
    const line = isItemObject(entry) ? entry.instruction : entry;
    if (typeof line !== 'string') {
      fields.problems.push(
        `${place} is ${shown(entry)}; expected a line of text (in YAML put quotes around a line that has ": " in it), or an object with instruction`,
      );
      return [];
    }
    if (line.trim() === '') {
      fields.problems.push(`${place} is blank (${quoted(line)}); write what to look for, or remove it`);
      return [];
    }
    const first = seen.get(textKey(line));
    if (first !== undefined) {
      fields.problems.push(
        `${place} ${quoted(line.trim())} repeats ${fields.spell(key)}[${first}]; it would count twice: remove one`,
      );
      return [];
    }
    seen.set(textKey(line), i);
    if (!isItemObject(entry)) return [line.trim()];
    const own = readItemFields(entry, kind, place, fields.problems);
    return [Object.keys(own).length === 0 ? line.trim() : { instruction: line.trim(), ...own }];
  });
}

/** The text of an item. */
export function instructionOf(item: string | ItemOptions): string {
  return typeof item === 'string' ? item : item.instruction;
}

/** A line cannot be required and forbidden at once. */
export function refuseSharedLines(
  fields: Fields,
  required: readonly (string | ItemOptions)[],
  forbidden: readonly (string | ItemOptions)[],
): void {
  const keys = new Set(required.map((item) => textKey(instructionOf(item))));
  for (const line of forbidden.map(instructionOf)) {
    if (!keys.has(textKey(line))) continue;
    fields.problems.push(
      `${quoted(line)} is in ${fields.spell('tpInstructions')} and in ${fields.spell('tnInstructions')}; an item is required or forbidden: remove it from one`,
    );
  }
}
