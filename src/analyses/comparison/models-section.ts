import type { MetricFacts, Score } from '../../core/score.ts';
import { leadingScores } from '../../metrics/act/leading-scores.ts';
import { builtInMetrics } from '../../metrics/registry.ts';
import { code, muted, numbers, shown, table } from '../../reports/document/blocks.ts';
import type { Inline, Table } from '../../reports/document/document.ts';
import { DASH, inWords, joined, scoreText } from '../../reports/words.ts';
import type { TraitMetric } from '../../rubrics/traits/trait.ts';
import { invalidBeside, shownScore } from '../../runs/sections/headline-names.ts';
import { otherTraitText } from '../../runs/sections/traits.ts';
import { shownItemScores } from '../judging/item-scores-section.ts';
import { JUDGE_STATUS } from '../judging/judge-section.ts';
import { summaryNames } from '../judging/summary-names.ts';
import type { ComparedModel, Comparison } from './comparison.ts';

interface ModelColumn {
  readonly title: string;
  readonly cell: (model: ComparedModel) => string;
}

type Compared = NonNullable<MetricFacts['compared']>;

/** The columns of one table: accuracy over all rows only where some model has nothing better. */
function scores(table: Compared['table'], models: readonly ComparedModel[]): ModelColumn[] {
  const hasLabels = (model: ComparedModel) =>
    model.scores.some(({ name, value }) => name === 'answerable_accuracy' && value !== null);
  const isShown = ({ where }: Compared) =>
    where === 'deferral_labels' ? models.some(hasLabels) : !(where && models.every(hasLabels));
  const metrics = [
    ...builtInMetrics(),
    ...models.flatMap((model) =>
      model.scores.map(({ name, facts }) => ({ name, compared: facts?.compared })),
    ),
  ];
  const columns = new Map(metrics.flatMap(({ name, compared }) => (compared ? [[name, compared]] : [])));
  const own = [...columns].filter(([, column]) => column.table === table && isShown(column));
  return own
    .sort(([, a], [, b]) => a.place - b.place)
    .map(([metric, { title }]) => ({
      title,
      cell: (model) => {
        const found = shownScore(model.scores, metric);
        if (found?.value == null) return DASH;
        const invalid = invalidBeside(model.scores, found, ({ nSuccesses }) => nSuccesses);
        return `${scoreText(found)}${invalid === null ? '' : `, ${invalid} invalid`}`;
      },
    }));
}

const ELAPSED: ModelColumn = {
  title: 'elapsed (s)',
  cell: ({ elapsedSeconds }) => elapsedSeconds?.toFixed(1) ?? DASH,
};
const TOKENS: ModelColumn = {
  title: 'tokens',
  cell: ({ tokens }) => String(tokens ?? DASH),
};

const SCORED: ModelColumn = { title: 'n', cell: ({ nScored }) => String(nScored) };

const TEXT_COLUMNS = builtInMetrics()
  .filter(({ textPlace }) => textPlace !== undefined)
  .sort((a, b) => a.textPlace! - b.textPlace!);

/** The scores that lead, of any of the models. */
function leadingColumns(models: readonly ComparedModel[]): ModelColumn[] {
  const leading = new Map(
    models.flatMap(({ scores: own }) => leadingScores(own, null)).map(({ name, label }) => [name, label]),
  );
  return [...leading].map(([metric, title]) => ({
    title: title.toLowerCase(),
    cell: ({ scores: own }) => {
      const found = own.find(({ name }) => name === metric);
      if (found === undefined || (found.value === null && found.bounds === null)) return DASH;
      return `${found.nSuccesses}/${found.nEvaluated} ${scoreText(found)}`;
    },
  }));
}

/** Emergencies and harm first, never accuracy alone, and no column is the one to sort by. */
function makeTables(
  models: readonly ComparedModel[],
): readonly (readonly [caption: string, columns: readonly ModelColumn[]])[] {
  const leading = leadingColumns(models);
  return [
    ...(leading.length === 0 ? [] : [['Emergencies, harm and cost', leading] as const]),
    ['Right, and how often it decides rightly', [SCORED, ...scores('decisions', models)]],
    ['When it defers, how sure it is, what it took', [...scores('confidence', models), ELAPSED, TOKENS]],
  ];
}

/** Models side by side, in the order given: as one row each in Markdown, in two tables elsewhere. */
export function modelTables(models: readonly ComparedModel[]): Table[] {
  const tables = makeTables(models).map(([caption, columns]) =>
    modelTable(caption, columns, models, nameCell),
  );
  return [...tables.map((own) => ({ ...own, except: ['md'] as const })), markdownModels(models)];
}

/** One row for each model, to copy into a paper. */
export function markdownModels(models: readonly ComparedModel[]): Table {
  const columns = makeTables(models).flatMap(([, own]) => own);
  return { ...modelTable('Models', columns, models, nameCell), except: ['text', 'html'] };
}

/** A model, with what a reader must know of its run in one or two words. */
function nameCell({ name, imported, simulated, status, nScored, n, repeats }: ComparedModel): Inline {
  const marks = [
    imported && (imported.hasRows ? 'imported' : 'imported, no cases'),
    simulated && 'simulated',
    status !== 'complete' && inWords(status),
    nScored < n && `${n - nScored} of ${n} cases not scored`,
    repeats > 1 && `${repeats} repeats`,
  ];
  const text = joined(marks, ', ');
  return text === null ? code(name) : [code(name), muted(` (${text})`)];
}

/** A row for each model. */
function modelTable(
  caption: string,
  columns: readonly ModelColumn[],
  models: readonly ComparedModel[],
  nameOf: (model: ComparedModel) => Inline,
): Table {
  return table(
    caption,
    ['model', ...numbers(...columns.map(({ title }) => title))],
    models.map((model) => [nameOf(model), ...columns.map(({ cell }) => cell(model))]),
  );
}

/** Models side by side on open questions: a table for each metric trait, one for the other traits, one for abstention, and what each run took. */
export function questionModelTables({ models }: Comparison): Table[] {
  const one = (title: string, columns: readonly ModelColumn[]): Table => {
    const own = modelTable(title, columns, models, ({ name }) => code(name));
    return { ...own, groups: own.groups.map((group) => ({ ...group, title })) };
  };
  const traits = new Set(models.flatMap((model) => [...metricTraits(model).keys()]));
  const others = new Set(models.flatMap(({ judging }) => judging!.otherTraits.map(({ name }) => name)));
  const otherColumns = [...others].map((title) => ({
    title,
    cell: ({ judging }: ComparedModel) => {
      const found = judging!.otherTraits.find(({ name }) => name === title);
      return found === undefined ? DASH : otherTraitText(found);
    },
  }));
  return [
    ...[...traits].map((trait) => {
      const findScores = (model: ComparedModel) => metricTraits(model).get(trait)?.metrics ?? {};
      const metrics = new Set(models.flatMap((model) => Object.keys(findScores(model)) as TraitMetric[]));
      const columns = [...metrics].map((title) => ({
        title,
        cell: (model: ComparedModel) => scoreCell(findScores(model)[title]?.pooled),
      }));
      const rates = models.map((model) => metricTraits(model).get(trait)?.contradictionRate);
      const contradictions = {
        title: 'contradiction rate',
        cell: (model: ComparedModel) =>
          scoreCell(metricTraits(model).get(trait)?.contradictionRate ?? undefined),
      };
      return one(`${trait} (pooled)`, rates.some(Boolean) ? [...columns, contradictions] : columns);
    }),
    ...itemScoreTables(models, one),
    ...(otherColumns.length === 0 ? [] : [one('Other traits', otherColumns)]),
    one(
      'Knows when not to answer (as judged)',
      TEXT_COLUMNS.map(({ name: metric }) => ({
        title: inWords(metric),
        cell: ({ judging }) => scoreCell(judging!.abstention.find(({ name }) => name === metric)),
      })),
    ),
    one('What it took', [
      { title: 'questions', cell: ({ nRecords }) => String(nRecords) },
      ELAPSED,
      TOKENS,
      { title: 'cost ($)', cell: ({ costUsd }) => costUsd?.toFixed(4) ?? DASH },
    ]),
  ];
}

/** Scores over items, where a run has any. */
function itemScoreTables(
  models: readonly ComparedModel[],
  tableOf: (title: string, columns: readonly ModelColumn[]) => Table,
): Table[] {
  const shownScores = models.flatMap(({ judging }) => shownItemScores(judging!.itemScores));
  const columns = [...new Map(shownScores.map(({ name, label }) => [name, label]))].map(([name, title]) => ({
    title,
    cell: ({ judging }: ComparedModel) =>
      scoreCell(judging!.itemScores.scores.find((score) => score.name === name)),
  }));
  return columns.length === 0 ? [] : [tableOf('What the items weigh', columns)];
}

function metricTraits({ judging }: ComparedModel) {
  const summaries = judging!.metricTraits;
  return new Map(summaryNames(summaries).map((name, i) => [name, summaries[i]!]));
}

function scoreCell(found: Score | undefined): string {
  return found === undefined ? DASH : scoreText(found);
}

/** What must be known of a model in a table of open questions. */
export function questionModelNote(model: ComparedModel): string {
  const { judges, judgeStatus } = model.judging!;
  return shown([
    judges.length === 0 ? 'not judged' : `judged by ${judges.join(', ')}`,
    judgeStatus !== 'calibrated' && judges.length > 0 && JUDGE_STATUS[judgeStatus],
    model.simulated && 'simulated',
    model.status !== 'complete' && inWords(model.status),
  ]).join(', ');
}
