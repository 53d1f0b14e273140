import { type JudgedAnswer, type QuestionReport, rowClass } from '../../results/index.ts';
import { csvCell } from '../csv-report.ts';

const COLUMNS = [
  'id',
  'repeat',
  'state',
  'ledger_class',
  'should_abstain',
  'source',
  'trait',
  'evaluation_mode',
  'item_id',
  'kind',
  'instruction',
  'verdict',
  'value',
  'scored',
  'reason',
  'quote',
  'start',
  'end',
  'n_quotes',
  'judge',
] as const;

type Line = Partial<Record<(typeof COLUMNS)[number], unknown>>;

/** One line for each question and item, for a spreadsheet; traits of other kinds and the abstention have lines of their own. No cell can become a formula. */
export function* questionCsvChunks({ answers }: QuestionReport): Generator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for (const answer of answers) {
    const common: Line = {
      id: answer.id,
      repeat: answer.repeat,
      state: answer.state,
      ledger_class: rowClass(answer),
      should_abstain: answer.shouldAbstain,
    };
    for (const line of linesOf(answer)) {
      const cells: Line = { ...common, ...line };
      yield `${COLUMNS.map((column) => csvCell(cells[column])).join(',')}\r\n`;
    }
  }
}

function linesOf(answer: JudgedAnswer): Line[] {
  return [
    ...answer.metricTraits.flatMap(({ trait, judge, items }) =>
      items.map((item): Line => {
        const quote = item.quotes.find(({ start }) => start !== null) ?? item.quotes[0];
        return {
          source: 'metric',
          trait: trait.name,
          evaluation_mode: trait.evaluationMode,
          item_id: item.id,
          kind: item.kind,
          instruction: item.instruction,
          verdict: item.class,
          scored: item.counts !== null,
          reason: item.reason,
          quote: quote?.text,
          start: quote?.start,
          end: quote?.end,
          n_quotes: item.quotes.length,
          judge,
        };
      }),
    ),
    ...answer.otherTraits.map(({ source, trait, judge, outcome }): Line => {
      const scored = outcome.kind !== 'unscored';
      return {
        source,
        trait: trait.name,
        kind: outcome.kind,
        value: scored ? outcome.value : null,
        scored,
        reason: scored ? null : outcome.reason,
        judge,
      };
    }),
    {
      source: 'abstention',
      trait: 'krisis.abstained',
      kind: 'boolean',
      value: answer.abstained,
      scored: answer.abstained !== null,
      reason: answer.abstainedReason,
    },
  ];
}
