import pc from 'picocolors';
import {
  answersWithTrait,
  type JudgedAnswer,
  type MetricTraitSummary,
  type QuestionReport,
} from '../../results/index.ts';
import { borderlessTable, right } from '../borderless-table.ts';
import { plain } from '../plain-text.ts';
import type { ReportOptions } from '../report-options.ts';
import { abstentionNote } from './abstention-note.ts';
import { evidenceItems, outcomeText, stateText, verdictText } from './evidence-items.ts';
import { AGAINST_TITLES, againstCells, betweenText, judgeText, reliabilityText } from './judge-words.ts';
import { listLevelText } from './list-level.ts';
import { markedText } from './marked-answer.ts';
import { questionMethodText } from './question-method-text.ts';
import {
  ANSWER_TITLES,
  answerCells,
  answerName,
  ledgerText,
  metricsOf,
  otherTraitText,
  range,
  TRAIT_TITLES,
  traitLines,
  traitTitle,
  unscoredText,
} from './trait-cells.ts';

/** More lines of one table than this nobody reads in a terminal; the JSON has all of them. */
const MOST_LINES = 40;

interface TextOptions extends ReportOptions {
  /** With every answer, its quotes marked, and each instruction with its verdict; no unless told. */
  readonly evidence?: boolean | undefined;
}

/** A run of open questions for people: what became of the rows, every trait pooled and question by question, abstention, and how far the judge can be trusted. */
export function questionRunText(report: QuestionReport, options: TextOptions = {}): string {
  const { verdicts = [], evidence = false } = options;
  const questions = report.nQuestions === 1 ? '1 question' : `${report.nQuestions} questions`;
  const repeats = report.repeats === 1 ? '' : `, each asked ${report.repeats} times`;
  return [
    pc.bold(plain(`${report.suiteName}, ${report.backendName}: ${questions}${repeats}`)),
    plain(judgeText(report)),
    `rows ${report.ledger.n}: ${plain(ledgerText(report.ledger))}`,
    `items ${report.judge.ledger.n}: ${ledgerText(report.judge.ledger)}`,
    '',
    ...report.metricTraits.flatMap((summary) => traitTables(summary, report.answers)),
    ...listLevelText(report.listLevel),
    ...otherTraits(report),
    ...abstentionTable(report),
    ...judgeLines(report),
    ...report.warnings.map(({ message }) => `${pc.yellow('!')} ${plain(message)}`),
    ...(report.warnings.length === 0 ? [] : ['']),
    ...(verdicts.length === 0
      ? []
      : [
          pc.bold('Conditions'),
          ...verdicts.map(({ text, status, message }) => `  ${status}  ${plain(text)}: ${plain(message)}`),
          '',
        ]),
    ...(evidence ? report.answers.flatMap(evidenceLines) : []),
    pc.dim(questionMethodText(report)),
    '',
  ].join('\n');
}

function traitTables(summary: MetricTraitSummary, answers: readonly JudgedAnswer[]): string[] {
  const lines = traitLines(summary).map(({ metric, cells, note }) => [
    `  ${metric}`,
    ...cells.map(right),
    note === '' ? '' : pc.dim(note),
  ]);
  const metrics = metricsOf(summary);
  const own = answersWithTrait(answers, summary);
  const rows = own.slice(0, MOST_LINES).map(({ answer, result }) => {
    const [name, ...cells] = answerCells(answer, result, metrics);
    return [`  ${plain(name!)}`, ...cells.map(right)];
  });
  const more = own.length > MOST_LINES ? [`  and ${own.length - MOST_LINES} more (--json lists them)`] : [];
  return [
    pc.bold(plain(traitTitle(summary))),
    borderlessTable('', [...TRAIT_TITLES.map(right), ''], lines),
    borderlessTable('  by question', [...ANSWER_TITLES, ...metrics].map(right), rows),
    ...more,
    '',
  ];
}

function otherTraits({ otherTraits: summaries }: QuestionReport): string[] {
  if (summaries.length === 0) return [];
  const rows = summaries.map((summary) => [
    `  ${plain(summary.name)}`,
    summary.source,
    right(`${summary.nScored} of ${summary.nAnswers}`),
    plain(otherTraitText(summary)),
    plain(unscoredText(summary.unscored)),
  ]);
  return [
    borderlessTable('Other traits', ['kind', right('scored'), 'value (interval) [bounds]', 'unscored'], rows),
    '',
  ];
}

function abstentionTable({ abstention }: QuestionReport): string[] {
  const bounded = abstention.some(({ bounds }) => bounds !== null);
  const rows = abstention.map((score) => [
    `  ${plain(score.label)}`,
    right(score.value === null ? '-' : score.value.toFixed(3)),
    right(range(score.interval)),
    ...(bounded ? [right(range(score.bounds))] : []),
    right(String(score.nEvaluated)),
    score.value === null ? pc.dim(abstentionNote(score)) : abstentionNote(score),
  ]);
  const head = [
    right('value'),
    right('interval'),
    ...(bounded ? [right('bounds')] : []),
    right('n'),
    'reads as',
  ];
  return [borderlessTable('Knows when not to answer (as judged)', head, rows), ''];
}

function judgeLines({ judge }: QuestionReport): string[] {
  if (judge.judges.length === 0) return [];
  const { calibration } = judge;
  const rows = calibration && [
    ['  all traits', ...againstCells(calibration.overall).map(right)],
    ...Object.entries(calibration.byTrait).map(([name, found]) => [
      `  ${plain(name)}`,
      ...againstCells(found).map(right),
    ]),
  ];
  return [
    pc.bold('The judge'),
    ...judge.reliability.map((found) => `  ${plain(reliabilityText(found))}`),
    ...judge.between.map((found) => `  ${plain(betweenText(found))}`),
    ...(rows === null
      ? ['  judge not calibrated: no verdicts of people to compare with']
      : [borderlessTable('  against people', AGAINST_TITLES.map(right), rows)]),
    '',
  ];
}

/** The answer with its quotes marked by the numbers of the instructions they serve; then the instructions. */
function evidenceLines(answer: JudgedAnswer): string[] {
  const items = evidenceItems(answer);
  const marked = markedText(answer.answer ?? '', items);
  return [
    pc.bold(plain(answerName(answer))),
    ...(answer.question === null ? [] : indented(answer.question)),
    `  ${plain(stateText(answer))}`,
    '',
    ...(answer.answer === null ? ['  no answer'] : indented(marked)),
    '',
    ...items.flatMap((item) => [
      `  ${item.number}. ${item.kind}, ${plain(item.traitName)}: ${plain(item.instruction)}: ${plain(verdictText(item))}`,
      ...item.quotes.map(
        ({ text, start }) => `     ${start === null ? 'not in the answer: ' : ''}"${plain(text)}"`,
      ),
    ]),
    ...answer.otherTraits.map((result) => `  ${plain(result.trait.name)}: ${plain(outcomeText(result))}`),
    '',
  ];
}

function indented(text: string): string[] {
  return text.split(/\r\n|\r|\n/).map((line) => `  ${plain(line)}`);
}
