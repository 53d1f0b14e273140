import { whole } from '../../reports/charts/number-text.ts';
import { code, numbers, paragraph, section, table, texts } from '../../reports/document/blocks.ts';
import type { Section } from '../../reports/document/document.ts';
import { costText, cut, DASH, dateText } from '../../reports/words.ts';
import type { Extras } from '../execution.ts';
import EXECUTION from './execution.json' with { type: 'json' };

type Field = Exclude<keyof Extras, 'prompt_templates' | 'roles'>;

/** Every field of a run's execution in words, and why it has no value (default: not stated). A new field does not compile until execution.json names it. */
const FIELDS: Readonly<Record<Field, { readonly title: string; readonly missing?: string }>> = EXECUTION;

/** How the run went: what it took, what it cost, what had to be repeated. */
export function execution(extras: Extras): Section {
  return section({ id: 'execution', title: 'Execution: time, tokens, cost' }, [
    table(
      'Execution',
      ['what', ...numbers('value'), ...texts('note'), { title: 'field', isSpare: true }],
      (Object.keys(FIELDS) as Field[]).map((field) => [
        FIELDS[field].title,
        fieldText(field, extras[field]),
        isMissing(extras[field]) ? (FIELDS[field].missing ?? 'not stated') : '',
        code(field),
      ]),
    ),
    paragraph('Tokens are totals as measured. The tokens of a batch call are not divided among its cases.', {
      tone: 'small',
      except: ['text'],
    }),
  ]);
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function fieldText(field: Field, value: unknown): string {
  if (isMissing(value)) return DASH;
  if (Array.isArray(value)) return cut(value.map(itemText).join(', '), 500);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (field === 'oldest_cache_hit') return dateText(String(value));
  if (typeof value !== 'number') return String(value);
  if (field.endsWith('_usd')) return costText(value);
  if (field.endsWith('_seconds')) return `${value.toFixed(value < 10 ? 3 : 1)} s`;
  return value >= 1000 ? whole(Math.round(value)) : String(Math.round(value * 10) / 10);
}

/** A name, or the settings of some calls: `max_output_tokens 2048, n_calls 12`. */
function itemText(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  const known = Object.entries(item).filter(([, value]) => value !== null);
  return `(${known.map(([key, value]) => `${key} ${value}`).join(', ')})`;
}
