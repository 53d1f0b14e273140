import {
  answersWithTrait,
  type GateVerdict,
  type ListLevelTrait,
  type MetricTraitSummary,
  type QuestionReport,
} from '../../results/index.ts';
import {
  DASH,
  dataDetails,
  executionTable,
  factTable,
  html,
  type Markup,
  promptTemplates,
  type Section,
  share,
  table,
  verdictTable,
} from '../html/index.ts';
import { abstentionNote } from './abstention-note.ts';
import { evidenceId, evidenceSection } from './evidence-html.ts';
import { AGAINST_TITLES, againstCells, betweenText, reliabilityText } from './judge-words.ts';
import { listLevelTitle } from './list-level.ts';
import { questionFacts } from './question-facts.ts';
import { questionMethodText } from './question-method-text.ts';
import {
  ANSWER_TITLES,
  answerCells,
  metricsOf,
  otherTraitText,
  range,
  TRAIT_TITLES,
  traitLines,
  traitTitle,
  unscoredText,
  words,
} from './trait-cells.ts';

/** The parts of a report of open questions, in the order in which they are read. */
export function questionSections(report: QuestionReport, verdicts: readonly GateVerdict[]): Section[] {
  return [
    { id: 'traits', title: 'What the answers say', body: traitsBody(report) },
    ...(verdicts.length === 0 ? [] : [{ id: 'gates', title: 'Conditions', body: verdictTable(verdicts) }]),
    ...(report.otherTraits.length === 0
      ? []
      : [{ id: 'other-traits', title: 'Other traits', body: otherTraits(report) }]),
    { id: 'abstention', title: 'Does it decline where it should?', body: abstention(report) },
    { id: 'judge', title: 'Can the judge be trusted?', body: judge(report) },
    { id: 'ledger', title: 'How every row and every item ended', body: ledgers(report) },
    { id: 'evidence', title: 'Evidence', body: evidenceSection(report.answers) },
    { id: 'execution', title: 'Execution: time, tokens, cost', body: executionTable(report) },
    {
      id: 'provenance',
      title: 'Method and provenance',
      body: html`<p>${questionMethodText(report)}</p>
${factTable(
  'Provenance',
  questionFacts(report).map(([name, value]) => [name, html`<code>${value}</code>`]),
)}`,
    },
    {
      id: 'prompts',
      title: 'Prompt templates',
      body: promptTemplates({ extras: report.extras, instructions: null, arm: null }),
    },
  ];
}

const numeric = (title: string) => ({ title, kind: 'number' as const });

function traitsBody(report: QuestionReport): Markup {
  if (report.metricTraits.length === 0) return html`<p>No question has a metric trait.</p>`;
  return html`<p>Pooled: every item weighs the same. Mean of questions: every question weighs the same. Bounds: what unscored items could have made of it.</p>
${report.metricTraits.map((summary) => traitBody(summary, report))}
${report.listLevel.map(listLevelBody)}`;
}

function traitBody(summary: MetricTraitSummary, { answers }: QuestionReport): Markup {
  const metrics = metricsOf(summary);
  return html`<h3>${traitTitle(summary)}</h3>
${traitTable(summary.name, summary)}
${dataDetails(
  'By question',
  table({
    caption: `${summary.name}, by question`,
    hideCaption: true,
    columns: [{ title: 'question' }, ...[...ANSWER_TITLES, ...metrics].map(numeric)],
    rows: answersWithTrait(answers, summary).map(({ answer, result }) => {
      const [name, ...cells] = answerCells(answer, result, metrics);
      const id = evidenceId(answers, answer);
      return [id === null ? name! : html`<a href="#${id}">${name!}</a>`, ...cells];
    }),
  }),
)}`;
}

/** What the judge's own lists come to, where it was asked for them as well. */
function listLevelBody(trait: ListLevelTrait): Markup {
  return html`<h3>${listLevelTitle(trait)}</h3>
${traitTable(trait.trait, trait.aggregate)}`;
}

function traitTable(caption: string, aggregate: Pick<MetricTraitSummary, 'metrics'>): Markup {
  return table({
    caption,
    hideCaption: true,
    className: 'wide',
    columns: [{ title: 'metric' }, ...TRAIT_TITLES.map(numeric), { title: 'note', kind: 'text' }],
    rows: traitLines(aggregate).map(({ metric, cells, note }) => [metric, ...cells.map(dashed), note]),
  });
}

function dashed(cell: string): string {
  return cell === '-' ? DASH : cell;
}

function otherTraits({ otherTraits: summaries }: QuestionReport): Markup {
  return table({
    caption: 'Other traits',
    hideCaption: true,
    className: 'wide',
    columns: [
      { title: 'trait' },
      { title: 'kind' },
      numeric('scored'),
      { title: 'value (interval) [bounds]', kind: 'text' },
      { title: 'unscored', kind: 'text' },
    ],
    rows: summaries.map((summary) => [
      summary.name,
      summary.source,
      `${summary.nScored} of ${summary.nAnswers}`,
      otherTraitText(summary),
      unscoredText(summary.unscored),
    ]),
  });
}

function abstention({ abstention: scores }: QuestionReport): Markup {
  return html`<p>Free text may decline. Whether it does is judged like a trait of its own.</p>
${table({
  caption: 'Abstention',
  hideCaption: true,
  className: 'wide',
  columns: [
    { title: 'metric' },
    ...['value', 'interval', 'bounds', 'n'].map(numeric),
    { title: 'reads as', kind: 'text' },
  ],
  rows: scores.map((score) => [
    score.label,
    score.value === null ? DASH : score.value.toFixed(3),
    dashed(range(score.interval)),
    dashed(range(score.bounds)),
    String(score.nEvaluated),
    abstentionNote(score),
  ]),
})}`;
}

function judge({ judge: found }: QuestionReport): Markup {
  const { calibration } = found;
  return html`<ul>${[...found.reliability.map(reliabilityText), ...found.between.map(betweenText)].map((line) => html`<li>${line}</li>`)}</ul>
${
  calibration === null
    ? html`<p><strong>Judge not calibrated</strong>: there are no verdicts of people to compare with.</p>`
    : table({
        caption: 'Against verdicts of people',
        columns: [{ title: 'trait' }, ...AGAINST_TITLES.map(numeric)],
        rows: [
          ['all traits', ...againstCells(calibration.overall)],
          ...Object.entries(calibration.byTrait).map(([name, against]) => [name, ...againstCells(against)]),
        ],
      })
}`;
}

function ledgers(report: QuestionReport): Markup {
  const ledger = (caption: string, counts: object) => {
    const { n, ...classes } = counts as Record<string, number>;
    return table({
      caption,
      columns: [{ title: 'class' }, numeric('count'), numeric('share')],
      rows: [
        ...Object.entries(classes)
          .filter(([, count]) => count > 0)
          .map(([name, count]) => [words(name), String(count), share(count, n!)]),
        ['all', String(n), ''],
      ],
    });
  };
  return html`<div class="side">${ledger('Rows', report.ledger)}${ledger('Items', report.judge.ledger)}</div>
<p class="small muted">Rows that failed or never ran, and items without a usable verdict, are not scored; they widen the bounds. In a refused answer nothing was said: its items count as absent.</p>`;
}
