import { sampleSize } from '../../analyses/baselines/section.ts';
import { comparedModel } from '../../analyses/comparison/compare-runs.ts';
import { markdownModels } from '../../analyses/comparison/models-section.ts';
import { section } from '../../reports/document/blocks.ts';
import type { Section } from '../../reports/document/document.ts';
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
    { kind: 'cards', except: ['text', 'md'], cards },
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
