import { sampleSize } from '../../analyses/baselines/section.ts';
import { comparedModel } from '../../analyses/comparison/compare-runs.ts';
import { markdownModels } from '../../analyses/comparison/models-section.ts';
import { whole } from '../../reports/charts/number-text.ts';
import { paragraph, section } from '../../reports/document/blocks.ts';
import type { Block, Section } from '../../reports/document/document.ts';
import type { RunResult } from '../run-result.ts';
import { firstCards } from './headline-cards.ts';
import { headlineScores } from './headline-scores.ts';
import { scoreTable } from './metrics.ts';
import { sentences } from './run-sentence.ts';

/** What leads: in sentences, as cards, and as a table to copy. */
export function headline(report: RunResult): Section {
  const { card, primaryEndpoint, arm, baselines } = report;
  const headlines = headlineScores(card.scores, primaryEndpoint?.metric ?? null);
  const primary = primaryEndpoint?.arm === arm ? (primaryEndpoint?.metric ?? null) : null;
  const cards = firstCards({ scores: card.scores, headlines, baselines, primary });
  return section({ id: 'headline', title: 'Headline' }, [
    ...sentences(card, report.backendName, report),
    usableLine(report),
    cards.length > 0 && { kind: 'cards', except: ['text', 'md'], cards },
    {
      ...scoreTable('Headline', card.method.level, [{ title: null, scores: headlines }]),
      except: ['html'],
    },
    {
      ...markdownModels([comparedModel(report)]),
      caption: 'The row for a table of models',
      showCaption: true,
    },
    ...sampleSize(report),
  ]);
}

/** Usable answers and failed rows before any score: a number over few rows says little. Null before the first row. */
function usableLine({ ledger, status }: Pick<RunResult, 'ledger' | 'status'>): Block | null {
  const { n: all, not_run: notRun, ...ended } = ledger;
  const countRows = (is: (name: string) => boolean) =>
    Object.entries<number>(ended).reduce((sum, [name, count]) => (is(name) ? sum + count : sum), 0);
  if (countRows(() => true) === 0) return null;
  const n = status === 'stopped_early' ? all - notRun : all;
  const invalid = countRows((name) => name === 'invalid' || name === 'refused');
  const parts = [
    `Usable answers ${whole(countRows((name) => name.startsWith('answered')))} of ${whole(n)}`,
    `failed ${whole(countRows((name) => name.startsWith('failed')))}`,
    `invalid or refused ${whole(invalid)}${invalid > 0 ? ', counted as wrong' : ''}`,
    ...(notRun > 0 ? [`not run ${whole(notRun)}`] : []),
  ];
  return paragraph(parts.join(' · '), { tone: 'small', except: ['text', 'md'] });
}
