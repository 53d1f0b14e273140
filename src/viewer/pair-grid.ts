import type { Comparison } from '../analyses/comparison/comparison.ts';
import { pairId } from '../analyses/comparison/pairs-section.ts';
import type { ModelOrder, ModelOrders } from '../analyses/model-order/model-order.ts';
import { decimals } from '../reports/charts/number-text.ts';
import { link, muted, numbers, paragraph, section, table } from '../reports/document/blocks.ts';
import type { Block, Inline, Section } from '../reports/document/document.ts';
import type { RunLine } from './api.ts';
import { buildAddress } from './build-address.ts';

/** Every model against every other one, as tables of models by models; null for fewer than three. A difference leads to its pair. */
export function pairGrid({ analyses, models }: Comparison, runs: readonly RunLine[]): Section | null {
  const orders = (analyses.modelOrder as ModelOrders | null)?.orders ?? [];
  const names = models.map(({ name }) => name);
  if (orders.length === 0 || runs.length < 3 || names.length !== runs.length) return null;
  return section({ id: 'order', title: 'Every pair of models' }, [
    paragraph(
      "The model of the line minus the model of the column, in percentage points, on the cases that both scored. A star marks a difference that is shown after Holm's adjustment for all pairs. Each difference opens its pair.",
      { tone: 'small' },
    ),
    ...orders.map((order) => gridTable(order, { names, runs })),
  ]);
}

function gridTable(
  { label, pairs, isShare }: ModelOrder,
  { names, runs }: { readonly names: readonly string[]; readonly runs: readonly RunLine[] },
): Block {
  const ids = runs.map(({ id }) => id);
  const cell = (row: number, column: number): Inline => {
    const isPair = ([first, second]: readonly [string, string]) =>
      first === names[column] && second === names[row];
    const pair = pairs.find(({ models }) => isPair(models));
    const turned = pairs.find(({ models: [first, second] }) => isPair([second, first]));
    const found = pair ?? turned;
    if (row === column || found === undefined) return muted('·');
    const difference = pair === undefined ? -found.difference : found.difference;
    const text = (isShare ? decimals(difference * 100, 1) : decimals(difference)).replace('-', '−');
    const first = ids[column]!;
    const order = [first, ...ids.filter((id) => id !== first)];
    return link(
      `${difference > 0 ? '+' : ''}${text}${found.isShown ? '*' : ''}`,
      `/${buildAddress('compare', { runs: order, with: ids[row], section: pairId(order.indexOf(ids[row]!) - 1) })}`,
    );
  };
  return table(
    `${label}: every pair`,
    [label, ...numbers(...names.map((name) => name.slice(0, 1)))],
    names.map((name, row) => [name, ...names.map((_, column) => cell(row, column))]),
    { showCaption: false },
  );
}
