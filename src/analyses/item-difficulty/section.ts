import { decimals, percent, whole } from '../../reports/charts/number-text.ts';
import { list, numbers, paragraph, record, section, table } from '../../reports/document/blocks.ts';
import type { Section, Table } from '../../reports/document/document.ts';
import { counted, DASH, levelText } from '../../reports/words.ts';
import { DEFAULT_LEVEL } from '../../statistics/score-options.ts';
import type { ItemDifficulty } from './item-difficulty.ts';

const MAX_LISTED = 50;

/** The hardest records, and what they may be a sign of. */
export function difficultySection(found: ItemDifficulty): Section | null {
  if (found.nRecords === 0) return null;
  const { nRecords, nModels, nTooFew, allRight, allDeferred, negativeDiscrimination: negative } = found;
  const of = nModels === 1 ? 'replies of one model, asked repeatedly' : `${whole(nModels)} models`;
  return section({ id: 'item-difficulty', title: 'Which cases are hardest?' }, [
    paragraph(`${allWrongText(found)} Over ${of}.`, { tone: 'lead' }),
    list(
      [
        `${counted(allRight, 'case')} of ${whole(nRecords)}: every reply right. ${allRight === nRecords ? 'Such cases do not tell models apart.' : ''}`.trim(),
        allDeferred > 0 && `${counted(allDeferred, 'case')}: every reply deferred.`,
        negative > 0 &&
          `${counted(negative, 'case')}: models that do better elsewhere do worse here (negative discrimination), another sign of a wrong label.`,
        nTooFew > 0 &&
          `${counted(nTooFew, 'case')} left out, with fewer than two replies that can be called right or wrong.`,
      ].filter((text) => text !== false),
    ),
    hardest(found),
    paragraph(
      'A decision is right if the answer equals the label, or if a case that should be deferred is deferred. A deferral where either is defensible, and a case without a label, are not judged; failed calls are left out. Discrimination is the correlation, over models, of being right on the case and on all others; it needs three models.',
      { tone: 'small', except: ['text'] },
    ),
  ]);
}

function allWrongText({ allWrong: { n, share, lower, upper }, nRecords }: ItemDifficulty): string {
  if (n === 0) return `No case of ${whole(nRecords)} is wrong in every reply.`;
  const interval =
    lower === null ? '' : `, ${levelText(DEFAULT_LEVEL)} interval ${percent(lower)} to ${percent(upper!)}`;
  return `${counted(n, 'case')} of ${whole(nRecords)} (${percent(share!)}${interval}) ${n === 1 ? 'is' : 'are'} wrong in every reply: check the labels of these first.`;
}

function hardest({ records }: ItemDifficulty): Table | false {
  const listed = records.filter(({ right, nJudged }) => right < nJudged).slice(0, MAX_LISTED);
  if (listed.length === 0) return false;
  return table(
    'Hardest cases',
    [
      'case',
      'right decision',
      ...numbers('right', 'deferred'),
      'commonest answer',
      { title: 'discrimination', kind: 'number', isSpare: true },
    ],
    listed.map(({ id, expected, n, nJudged, right, deferred, commonest, discrimination }) => [
      record(id),
      expected ?? DASH,
      `${whole(right)}/${whole(nJudged)}`,
      `${whole(deferred)}/${whole(n)}`,
      commonest === null ? DASH : `${commonest.label} (${whole(commonest.n)})`,
      discrimination === null ? DASH : decimals(discrimination, 2),
    ]),
    { most: { text: 10, md: 20, html: 20 } },
  );
}
