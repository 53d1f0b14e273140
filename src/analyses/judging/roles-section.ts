import { whole } from '../../reports/charts/number-text.ts';
import { numbers, paragraph, section, table } from '../../reports/document/blocks.ts';
import type { Section } from '../../reports/document/document.ts';
import { costText, DASH } from '../../reports/words.ts';
import type { Extras } from '../../runs/execution.ts';

/** What answering and judging took, apart; null for labels, where only one model is asked. */
export function roles({ roles: asked }: Pick<Extras, 'roles'>): Section | null {
  if (asked.length === 0) return null;
  const rows = asked.map(({ role, name, config, ...took }) => {
    const which = config ? ` (${config})` : '';
    return [`${role === 'model' ? 'answering' : 'judging'}: ${name}${which}`, ...makeCells(took)];
  });
  const judges = asked.filter(({ role }) => role === 'judge');
  return section({ id: 'roles', title: 'What answering and judging took' }, [
    table(
      'What answering and judging took',
      ['role', ...numbers('calls', 'from the cache', 'input tokens', 'output tokens', 'cost')],
      judges.length > 1 ? [...rows, ['judging, all judges', ...makeCells(addUp(judges))]] : rows,
    ),
    asked.some(({ n_calls, cost_usd }) => n_calls > 0 && cost_usd === null) &&
      paragraph('No cost: no price is known for the model, or no tokens were reported.', { tone: 'small' }),
  ]);
}

type Took = Omit<Extras['roles'][number], 'role' | 'name' | 'config'>;

function makeCells({ n_calls, n_cache_hits, input_tokens, output_tokens, cost_usd }: Took): string[] {
  const count = (n: number | null) => (n === null ? DASH : whole(n));
  return [
    whole(n_calls),
    whole(n_cache_hits),
    count(input_tokens),
    count(output_tokens),
    cost_usd === null ? DASH : costText(cost_usd),
  ];
}

/** A sum with an unknown part is unknown. */
function addUp(all: readonly Took[]): Took {
  const sum = (values: readonly (number | null)[]) =>
    values.reduce((total, value) => (total === null || value === null ? null : total + value), 0);
  return {
    n_calls: sum(all.map(({ n_calls }) => n_calls))!,
    n_cache_hits: sum(all.map(({ n_cache_hits }) => n_cache_hits))!,
    input_tokens: sum(all.map(({ input_tokens }) => input_tokens)),
    output_tokens: sum(all.map(({ output_tokens }) => output_tokens)),
    cost_usd: sum(all.map(({ cost_usd }) => cost_usd)),
  };
}
