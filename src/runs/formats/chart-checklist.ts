import { muted, paragraph, section, table, texts } from '../../reports/document/blocks.ts';
import { renderMarkdown } from '../../reports/formats/markdown.ts';
import { cut, DASH, joined } from '../../reports/words.ts';
import type { RunResult } from '../run-result.ts';
import { answerItem } from '../sections/checklist.ts';
import { verificationAlert } from '../unproven-file.ts';
import TOPICS from './chart-checklist.json' with { type: 'json' };

const MAX_ANSWER = 1000;

/** What CHART asks of a study of chatbots that give health advice, by the topics of its items and in our own words: what the run says, and what the authors must write. */
export function chartChecklist(run: RunResult): string {
  const alert = verificationAlert(run);
  return renderMarkdown({
    title: `CHART checklist: ${run.backendName} on ${run.suiteName}`,
    summary: [],
    badges: [],
    facts: [],
    alerts: alert === null ? [] : [alert],
    warnings: run.warnings.map(({ message }) => message),
    footer:
      'Made by Krisis. A study needs the checklist of the guideline itself, with the pages of the manuscript.',
    sections: [
      section({ id: 'chart', title: 'Topics of the guideline' }, [
        paragraph(
          'After CHART, the Chatbot Assessment Reporting Tool (doi:10.1186/s12916-025-04274-w). Numbers are those of its items; the words are ours, so check against the guideline before submitting.',
        ),
        table(
          'CHART checklist',
          ['items', ...texts('topic', 'from this run', 'for the authors')],
          TOPICS.map(({ items, topic, answers, authors }) => {
            const answer = joined(answers.map((id) => answerItem(id, run)));
            return [items, topic, answer === null ? muted(DASH) : cut(answer, MAX_ANSWER), authors];
          }),
        ),
      ]),
    ],
  });
}
