import {
  answersWithTrait,
  type JudgedAnswer,
  type MetricTraitSummary,
  type QuestionReport,
} from '../../results/index.ts';
import { markdownTable } from '../comparison-table.ts';
import { markdownText } from '../markdown-text.ts';
import type { ReportOptions } from '../report-options.ts';
import { abstentionNote } from './abstention-note.ts';
import { evidenceItems, outcomeText, stateText, verdictText } from './evidence-items.ts';
import { AGAINST_TITLES, againstCells, betweenText, judgeText, reliabilityText } from './judge-words.ts';
import { listLevelTitle } from './list-level.ts';
import { markedText } from './marked-answer.ts';
import { questionFacts } from './question-facts.ts';
import { questionMethodText } from './question-method-text.ts';
import {
  ANSWER_TITLES,
  answerCells,
  answerName,
  metricsOf,
  otherTraitText,
  range,
  TRAIT_TITLES,
  traitLines,
  traitTitle,
  unscoredText,
  words,
} from './trait-cells.ts';

/** A run of open questions for a paper or a pull request: every trait with its intervals, what must stand beside them, and the evidence. */
export function questionMarkdown(report: QuestionReport, { verdicts = [] }: ReportOptions = {}): string {
  const lines = [
    `# ${markdownText(report.suiteName)}: ${markdownText(report.backendName)}`,
    '',
    `${report.nQuestions === 1 ? '1 question' : `${report.nQuestions} questions`}, ${markdownText(judgeText(report))}.`,
    '',
    ...section(
      'Before quoting a number',
      report.warnings.map(({ message }) => `- ${markdownText(message)}`),
    ),
    ...section(
      'Conditions',
      verdicts.map(
        ({ text, status, message }) => `- **${status}** ${markdownText(text)}: ${markdownText(message)}`,
      ),
    ),
    ...report.metricTraits.flatMap((summary) => traitSection(summary, report.answers)),
    ...listLevel(report),
    ...otherTraits(report),
    ...abstention(report),
    ...section('The judge', judgeLines(report)),
    ...section('What became of the rows', [ledgerTable(report.ledger, 'rows')]),
    ...section('What became of the items', [ledgerTable(report.judge.ledger, 'items')]),
    ...section('Evidence', report.answers.flatMap(evidence)),
    ...section('How it was made', [
      markdownText(questionMethodText(report)),
      '',
      ...questionFacts(report).map(([name, value]) => `- ${name}: ${markdownText(value)}`),
    ]),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines.map((line) => line.trimEnd()), ''];
}

function traitSection(summary: MetricTraitSummary, answers: readonly JudgedAnswer[]): string[] {
  const metrics = metricsOf(summary);
  return section(markdownText(traitTitle(summary)), [
    markdownTable(
      ['metric', ...TRAIT_TITLES, 'note'],
      traitLines(summary).map(({ metric, cells, note }) => [metric, ...cells, note]),
      ['metric', 'note'],
    ),
    '',
    markdownTable(
      ['question', ...ANSWER_TITLES, ...metrics],
      answersWithTrait(answers, summary).map(({ answer, result }) =>
        answerCells(answer, result, metrics).map(markdownText),
      ),
    ),
  ]);
}

/** What the judge's own lists come to, where it was asked for them as well: beside the numbers by instruction, never in their place. */
function listLevel({ listLevel: traits }: QuestionReport): string[] {
  return traits.flatMap((trait) =>
    section(markdownText(listLevelTitle(trait)), [
      markdownTable(
        ['metric', ...TRAIT_TITLES, 'note'],
        traitLines(trait.aggregate).map(({ metric, cells, note }) => [metric, ...cells, note]),
        ['metric', 'note'],
      ),
    ]),
  );
}

function otherTraits({ otherTraits: summaries }: QuestionReport): string[] {
  if (summaries.length === 0) return [];
  return section('Other traits', [
    markdownTable(
      ['trait', 'kind', 'scored', 'value (interval) [bounds]', 'unscored'],
      summaries.map((summary) => [
        markdownText(summary.name),
        summary.source,
        `${summary.nScored} of ${summary.nAnswers}`,
        markdownText(otherTraitText(summary)),
        markdownText(unscoredText(summary.unscored)),
      ]),
      ['trait', 'kind', 'value (interval) [bounds]', 'unscored'],
    ),
  ]);
}

function abstention({ abstention: scores }: QuestionReport): string[] {
  return section('Knows when not to answer (as judged)', [
    markdownTable(
      ['metric', 'value', 'interval', 'bounds', 'n', 'note'],
      scores.map((score) => [
        markdownText(score.label),
        score.value === null ? '-' : score.value.toFixed(3),
        range(score.interval),
        range(score.bounds),
        String(score.nEvaluated),
        markdownText(abstentionNote(score)),
      ]),
      ['metric', 'note'],
    ),
  ]);
}

function judgeLines({ judge }: QuestionReport): string[] {
  const { calibration } = judge;
  return [
    ...judge.reliability.map((found) => `- ${markdownText(reliabilityText(found))}`),
    ...judge.between.map((found) => `- ${markdownText(betweenText(found))}`),
    ...(calibration === null
      ? ['- judge not calibrated: no verdicts of people to compare with']
      : [
          '',
          markdownTable(
            ['against people', ...AGAINST_TITLES],
            [
              ['all traits', ...againstCells(calibration.overall)],
              ...Object.entries(calibration.byTrait).map(([name, found]) => [
                markdownText(name),
                ...againstCells(found),
              ]),
            ],
          ),
        ]),
  ];
}

function ledgerTable(ledger: object, title: string): string {
  const entries = Object.entries(ledger) as [string, number][];
  return markdownTable(
    ['class', title],
    entries
      .filter(([name, n]) => n > 0 || name === 'n')
      .map(([name, n]) => [markdownText(name === 'n' ? 'all' : words(name)), String(n)]),
  );
}

function evidence(answer: JudgedAnswer): string[] {
  const items = evidenceItems(answer);
  return [
    `### ${markdownText(answerName(answer))}`,
    '',
    ...(answer.question === null ? [] : [markdownText(answer.question), '']),
    `${markdownText(stateText(answer))}.`,
    '',
    // A line of its own for every line of the answer; two blanks at its end would be lost.
    ...(answer.answer === null
      ? ['> no answer']
      : markedText(answer.answer, items, markdownLines)
          .split('\n')
          .map((line) => `> ${line}`)),
    '',
    ...items.map((item) => {
      const quotes = item.quotes.map(
        ({ text, start }) => `${start === null ? 'not in the answer: ' : ''}“${markdownText(text)}”`,
      );
      return `${item.number}. ${markdownText(`${item.kind}, ${item.traitName}: ${item.instruction}`)}: **${markdownText(verdictText(item))}**${quotes.length === 0 ? '' : ` ${quotes.join(', ')}`}`;
    }),
    ...(items.length > 0 ? [''] : []),
    ...answer.otherTraits.map(
      (result) => `- ${markdownText(result.trait.name)}: ${markdownText(outcomeText(result))}`,
    ),
    ...(answer.otherTraits.length > 0 ? [''] : []),
  ];
}

/** As text of Markdown, its line breaks kept. */
function markdownLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => {
      const [, before, inner, after] = /^(\s*)(.*?)(\s*)$/s.exec(line)!;
      const blank = (part: string) => (part === '' ? '' : ' ');
      return `${blank(before!)}${markdownText(inner!)}${blank(after!)}`;
    })
    .join('\\\n');
}
