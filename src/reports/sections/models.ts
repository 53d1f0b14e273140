import type { MetricScore, Scorecard } from '../../metrics/index.ts';
import { type ComparedModel, type Comparison, summaryNames } from '../../results/index.ts';
import {
  code,
  type DocumentFormat,
  type Inline,
  muted,
  numbers,
  type Table,
  table,
} from '../document/document.ts';
import { DASH, inWords, scoreOf, scoreText } from '../words.ts';
import { otherTraitText } from './traits.ts';

/** What a table of models shows of a run with labels. */
type TableModel = Pick<
  ComparedModel,
  'name' | 'imported' | 'simulated' | 'status' | 'n' | 'nScored' | 'repeats' | 'elapsedSeconds' | 'tokens'
> &
  Pick<Scorecard, 'scores'>;

interface ModelColumn {
  readonly title: string;
  cell(model: TableModel): string;
}

function score(metric: string, title: string): ModelColumn {
  return { title, cell: (model) => scoreCell(scoreOf(model, metric)) };
}

/** Never accuracy alone, and no column is the one to sort by. */
const TABLES: readonly (readonly [caption: string, columns: readonly ModelColumn[]])[] = [
  [
    'Right, and how often it decides rightly',
    [
      { title: 'n', cell: ({ nScored }) => String(nScored) },
      score('decision_accuracy', 'decision accuracy'),
      score('accuracy', 'accuracy'),
      score('balanced_accuracy', 'balanced accuracy'),
      score('selective_accuracy', 'selective accuracy'),
      score('unsafe_answer_rate', 'unsafe answers'),
    ],
  ],
  [
    'When it abstains, how sure it is, what it took',
    [
      score('abstention_rate', 'abstention'),
      score('answer_rate', 'coverage'),
      score('deferral_alignment', 'deferral alignment'),
      score('expected_calibration_error', 'ECE'),
      score('augrc', 'AUGRC'),
      { title: 'elapsed (s)', cell: ({ elapsedSeconds }) => elapsedSeconds?.toFixed(1) ?? DASH },
      { title: 'tokens', cell: ({ tokens }) => String(tokens ?? DASH) },
    ],
  ],
];

/** Models side by side, in the order given: as one row each in Markdown, in two tables elsewhere. */
export function modelTables(
  models: readonly TableModel[],
  { except = [] }: { readonly except?: readonly DocumentFormat[] } = {},
): Table[] {
  const one = (caption: string, columns: readonly ModelColumn[], more: readonly DocumentFormat[]) =>
    table(
      caption,
      ['model', ...numbers(...columns.map(({ title }) => title))],
      models.map((model) => [
        nameCell(model.name, modelMarks(model)),
        ...columns.map((column) => column.cell(model)),
      ]),
      { except: [...except, ...more] },
    );
  return [
    ...TABLES.map(([caption, columns]) => one(caption, columns, ['md'])),
    one(
      'Models',
      TABLES.flatMap(([, columns]) => columns),
      ['text', 'html'],
    ),
  ];
}

/** What a reader must know of a run in one or two words. */
function modelMarks({ imported, simulated, status, nScored, n, repeats }: TableModel): string[] {
  return [
    ...(imported === null ? [] : [imported.hasRows ? 'imported' : 'imported, no rows']),
    ...(simulated ? ['simulated'] : []),
    ...(status === 'complete' ? [] : [inWords(status)]),
    ...(nScored < n ? [`${n - nScored} of ${n} rows not scored`] : []),
    ...(repeats > 1 ? [`${repeats} repeats`] : []),
  ];
}

function nameCell(name: string, marks: readonly string[]): Inline {
  return marks.length === 0 ? code(name) : [code(name), muted(` (${marks.join(', ')})`)];
}

function scoreCell(found: Parameters<typeof scoreText>[0] | MetricScore | undefined): string {
  return found === undefined || found.value === null ? DASH : scoreText(found);
}

const ABSTENTION = [
  'answer_rate',
  'abstention_rate',
  'deferral_alignment',
  'deferral_recall',
  'deferral_specificity',
];

/** Models side by side on open questions: a table for each metric trait, one for the other traits, one for abstention, and what each run took. */
export function questionModelTables({ models }: Comparison): Table[] {
  const named = models.map((model) => {
    const { metricTraits, otherTraits, abstention } = model.judging!;
    const names = summaryNames(metricTraits);
    const traits = new Map(metricTraits.map((summary, i) => [names[i]!, summary]));
    return { model, traits, otherTraits, abstention };
  });
  const traits = new Set(named.flatMap(({ traits: own }) => [...own.keys()]));
  const others = [...new Set(named.flatMap(({ otherTraits }) => otherTraits.map(({ name }) => name)))];
  const one = (
    title: string,
    columns: readonly string[],
    cell: (entry: (typeof named)[number], column: string) => string,
  ): Table =>
    table(
      title,
      ['model', ...numbers(...columns)],
      [
        {
          title,
          rows: named.map((entry) => [
            code(entry.model.name),
            ...columns.map((column) => cell(entry, column)),
          ]),
        },
      ],
    );
  return [
    ...[...traits].map((trait) => {
      const metrics = new Set(named.flatMap(({ traits: own }) => Object.keys(own.get(trait)?.metrics ?? {})));
      return one(`${trait} (pooled)`, [...metrics], ({ traits: own }, metric) => {
        const found = own.get(trait)?.metrics[metric as 'recall']?.pooled;
        return found === undefined ? DASH : scoreText(found);
      });
    }),
    ...(others.length === 0
      ? []
      : [
          one('Other traits', others, ({ otherTraits }, name) => {
            const found = otherTraits.find((summary) => summary.name === name);
            return found === undefined ? DASH : otherTraitText(found);
          }),
        ]),
    one('Knows when not to answer (as judged)', ABSTENTION.map(inWords), ({ abstention }, column) => {
      const found = abstention.find(({ name }) => inWords(name) === column);
      return found === undefined ? DASH : scoreText(found);
    }),
    one('What it took', ['questions', 'elapsed (s)', 'tokens', 'cost ($)'], ({ model }, column) => {
      if (column === 'questions') return String(model.nRecords);
      if (column === 'tokens') return String(model.tokens ?? DASH);
      return column === 'cost ($)'
        ? (model.costUsd?.toFixed(4) ?? DASH)
        : (model.elapsedSeconds?.toFixed(1) ?? DASH);
    }),
  ];
}

/** What must be known of a model in a table of open questions. */
export function questionModelNote(model: ComparedModel): string {
  const { judges, isCalibrated } = model.judging!;
  return [
    judges.length === 0 ? 'not judged' : `judged by ${judges.join(', ')}`,
    ...(isCalibrated || judges.length === 0 ? [] : ['judge not calibrated']),
    ...(model.simulated ? ['simulated'] : []),
    ...(model.status === 'complete' ? [] : [inWords(model.status)]),
  ].join(', ');
}
