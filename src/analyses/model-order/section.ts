import { decimals, percent, whole } from '../../reports/charts/number-text.ts';
import { numbers, paragraph, section, table } from '../../reports/document/blocks.ts';
import type { Block, Section } from '../../reports/document/document.ts';
import { counted, DASH, levelText } from '../../reports/words.ts';
import type { ModelOrder, ModelOrders } from './model-order.ts';

/** Every pair of models. Two models are a comparison with the baseline, which has its own section. */
export function orderSection({ orders, level }: ModelOrders): Section | null {
  const several = orders.filter(({ pairs }) => pairs.length > 1);
  return section({ id: 'order', title: 'Every pair of models' }, [
    ...several.flatMap((order) => orderBlocks(order, level)),
    several.length > 0 &&
      paragraph(
        'Each pair on the cases that both models scored; p (Holm) is adjusted for all pairs of a score.',
        { tone: 'small', except: ['text'] },
      ),
  ]);
}

function orderBlocks({ label, nShown, pairs, isShare }: ModelOrder, level: number): Block[] {
  const show = (value: number) => (isShare ? percent(value) : decimals(value));
  return [
    paragraph(`${label}: ${whole(nShown)} of ${counted(pairs.length, 'difference')} shown.`, {
      tone: 'lead',
    }),
    table(
      `Pairs by ${label.toLowerCase()}`,
      ['model', 'minus', ...numbers('n', 'difference', `${levelText(level)} interval`, 'p (Holm)'), 'shown'],
      pairs.map(({ models: [first, second], n, difference, lower, upper, pHolm, isShown }) => [
        second,
        first,
        whole(n),
        show(difference),
        lower === null || upper === null ? DASH : `${show(lower)} to ${show(upper)}`,
        pHolm < 0.001 ? '< 0.001' : decimals(pHolm),
        isShown ? 'yes' : 'no',
      ]),
    ),
  ];
}
