import { percent, whole } from '../../reports/charts/number-text.ts';
import { heading, list, numbers, paragraph, table } from '../../reports/document/blocks.ts';
import type { Block } from '../../reports/document/document.ts';
import { costText, counted, DASH, inWords, number } from '../../reports/words.ts';
import { answerName } from './evidence-section.ts';
import type { Jury } from './jury.ts';

/** How far the judges of a jury differ, what each cost, and on which items they split. It does not say who is right. */
export function juryBlocks(jury: Jury): Block[] {
  const { judges, agreement, mostDifferent, splitItems } = jury;
  const names = judges.map(({ name }) => name);
  return [
    heading(`A jury of ${judges.length}`),
    paragraph(
      'The verdict on an item is what more than half of the judges say; without such a majority it is unclear. The passes of a judge become one verdict first: a judge has one vote however often it is asked.',
      { tone: 'small' },
    ),
    table(
      'Judges of the jury',
      [
        'judge',
        ...numbers('passes', 'calls', 'tokens', 'cost', 'differs from the others', 'changed by the jury'),
      ],
      judges.map(({ name, passes, calls, tokens, costUsd, dissent }) => [
        name,
        String(passes),
        whole(calls),
        tokens === null ? DASH : whole(tokens),
        costUsd === null ? DASH : costText(costUsd),
        dissent.dissentRate === null ? DASH : `${percent(dissent.dissentRate)} of ${whole(dissent.n)}`,
        dissent.changedByJury === null ? DASH : percent(dissent.changedByJury),
      ]),
      { layout: 'wide' },
    ),
    list([
      `Agreement of the judges: Krippendorff's alpha ${number(agreement)}. It says how far they agree, not how right they are: judges share errors, and three judges are not three independent votes.`,
      mostDifferent === null
        ? 'No judge differs from the others more than the rest.'
        : `${mostDifferent} differs most from the others. That does not make it wrong: only labels of people say who is.`,
      ...(judges.length % 2 === 0
        ? ['The jury has an even number of judges: where they halve, the item is unclear.']
        : []),
    ]),
    splitItems.length === 0
      ? paragraph('All judges say the same of every item.')
      : table(
          `The jury splits on ${counted(splitItems.length, 'item')}`,
          ['question', 'item', ...names, 'jury'],
          splitItems.map((item) => [
            answerName(item),
            `${item.trait}: ${item.instruction}`,
            ...names.map((name) => inWords(item.votes[name] ?? 'no_verdict')),
            inWords(item.verdict ?? 'no_verdict'),
          ]),
          { layout: 'wide', showCaption: true, most: { text: 20, md: 50, html: 200 } },
        ),
  ];
}
