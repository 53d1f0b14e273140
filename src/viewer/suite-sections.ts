import type { HistoryPoint } from '../reports/charts/history-chart.ts';
import { casesText, decimals, percent, whole } from '../reports/charts/number-text.ts';
import {
  BREAK,
  figure,
  link,
  muted,
  numbers,
  paragraph,
  section,
  shown,
  strong,
  table,
} from '../reports/document/blocks.ts';
import type { Block, Inline, Section } from '../reports/document/document.ts';
import { DASH, dateText, inWords, levelText, number, range, scoreTitle } from '../reports/words.ts';
import { controlChart, controlLimits } from '../statistics/methods/control-chart.ts';
import type { RunLine, ScoreLine, SuiteHistory, SuiteModels, SuitePayload } from './api.ts';
import { buildAddress } from './build-address.ts';
import { hidesText } from './open-runs.ts';

/** A run of a suite with the scores that it stored. */
export interface SuiteRun {
  readonly run: RunLine;
  readonly scores: readonly ScoreLine[];
}

/** A rubric may have any number of traits. */
const MAX_TRAITS = 8;
const MAX_COMPARED = 6;

/** What the page of a suite shows of its runs, which are listed newest first. */
export function describeSuiteRuns(suite: string, runs: readonly SuiteRun[]): SuitePayload {
  const visible = runs.filter(({ run }) => !run.notes.hidden);
  const newest = newestOfEach(visible);
  return {
    suite,
    n_runs: visible.length,
    n_models: new Set(visible.map(({ run }) => run.model)).size,
    n_hidden: runs.length - visible.length,
    newest: suiteModels(newest),
    all: newest.length < visible.length ? suiteModels(visible) : null,
    histories: histories(visible),
  };
}

/** Runs of one model on one arm are a series. */
function nameSeries({ model, arm }: RunLine): string {
  return arm === null ? model : `${model}, arm ${arm}`;
}

/** A part of a run is taken only where there is no whole one. */
function newestOfEach(runs: readonly SuiteRun[]): readonly SuiteRun[] {
  const ended = runs.filter(({ scores }) => scores.length > 0);
  const listed = ended.length > 0 ? ended : runs;
  return [...Map.groupBy(listed, ({ run }) => nameSeries(run)).values()].map(
    (series) => series.find(({ run }) => run.shard === null) ?? series[0]!,
  );
}

function suiteModels(runs: readonly SuiteRun[]): SuiteModels {
  const [most = []] = sameCases(runs)
    .map(({ runs: group }) => group)
    .toSorted((a, b) => b.length - a.length);
  return {
    section: modelsSection(runs),
    compared: most.length < 2 ? [] : most.slice(0, MAX_COMPARED).map(({ run }) => run.id),
  };
}

/** Runs on the same cases: the same version of the suite, with the same limit. Runs listed first come first. */
function sameCases(runs: readonly SuiteRun[]) {
  const nVersions = countVersions(runs);
  const groups = Map.groupBy(runs, ({ run }) => `${run.suite_hash} ${countCases(run)}`);
  return [...groups.values()].map((group) => {
    const { run } = group[0]!;
    const version = nVersions > 1 ? `, version ${run.suite_hash?.slice(0, 8) ?? 'unknown'}` : '';
    return { title: `${casesText(countCases(run))}${version}`, runs: group };
  });
}

function countCases({ n, settings }: RunLine): number {
  return n / Number(settings.repeats ?? 1);
}

/** A row for each run: the scores that lead, with interval and n; emergencies and harms first, the primary endpoint last. */
function modelsSection(runs: readonly SuiteRun[]): Section {
  const head = { id: 'models', title: 'Models' };
  const columns = listColumns(runs);
  const nVersions = countVersions(runs);
  const groups = sameCases(runs);
  const level = runs.flatMap(({ scores }) => scores).find(({ interval }) => interval !== null)
    ?.interval?.level;
  return section(head, [
    columns.length === 0 &&
      paragraph('No run of this suite has scores yet; they appear here when one has ended.'),
    groups.length > 1 &&
      paragraph(
        strong(
          `These runs are not all on the same cases${nVersions > 1 ? `: they used ${nVersions} versions of the suite` : ''}. Compare scores only within a group.`,
        ),
      ),
    table(
      'Scores of all models',
      [
        'model',
        ...numbers(
          ...columns.map(
            ({ label, isPrimary }) => `${scoreTitle(label)}${isPrimary ? ' (primary endpoint)' : ''}`,
          ),
        ),
        'started',
      ],
      groups.map(({ title, runs: group }) => ({
        title: groups.length > 1 ? title : null,
        rows: group.map((scored) => [
          nameCell(scored.run),
          ...columns.map(({ name }) => scoreCell(leadingScores(scored).find((score) => score.name === name))),
          dateText(scored.run.created_at),
        ]),
      })),
      { layout: 'wide named' },
    ),
    level !== undefined &&
      paragraph(
        `Below each score its ${levelText(level)} interval. Bounds: what unscored cases could have led to.`,
        {
          tone: 'small',
        },
      ),
  ]);
}

function countVersions(runs: readonly SuiteRun[]): number {
  return new Set(runs.map(({ run }) => run.suite_hash)).size;
}

interface ScoreColumn extends Pick<ScoreLine, 'name' | 'label'> {
  readonly isPrimary: boolean;
}

function leadingScores({ run, scores }: SuiteRun): readonly ScoreLine[] {
  return run.kind === 'questions' ? scores.slice(0, MAX_TRAITS) : run.leading;
}

/** The scores that any of the runs shows, each before the one that it precedes in its run. */
function listColumns(runs: readonly SuiteRun[]): ScoreColumn[] {
  const columns: ScoreColumn[] = [];
  for (const scored of runs) {
    let before = columns.length;
    for (const { name, label } of leadingScores(scored).toReversed()) {
      const place = columns.findIndex((column) => column.name === name);
      const isPrimary = name === scored.run.headline?.name;
      if (place < 0) columns.splice(before, 0, { name, label, isPrimary });
      else before = place;
    }
  }
  return columns;
}

function nameCell(run: RunLine): Inline {
  const name = nameRun(run);
  const marks = [name !== run.model && run.model, run.arm !== null && `arm ${run.arm}`, ...listMarks(run)];
  return [runLink(run, name), ...beside(marks)];
}

/** The name that people gave a run stays out of exports of protected runs, as their other notes do. */
function nameRun(run: RunLine): string {
  return hidesText(run) ? run.model : (run.notes.name ?? run.model);
}

function runLink(run: RunLine, text: string): Inline {
  return link(text, buildPath(run));
}

/** The page of a run, by its kind. */
const RUN_ADDRESSES = { labels: 'runs/:id', questions: 'runs/:id/questions' };

function buildPath({ kind, id }: RunLine): string {
  return `/${buildAddress(RUN_ADDRESSES[kind], { id })}`;
}

function beside(marks: readonly (string | false)[]): Inline[] {
  const texts = marks.filter((mark) => mark !== false);
  return texts.length === 0 ? [] : [BREAK, muted(texts.join(', '))];
}

/** What qualifies a run's numbers. */
function listMarks(run: RunLine): (string | false)[] {
  const nFailed = Object.entries(run.ledger).reduce(
    (sum, [name, n]) => (name.startsWith('failed') ? sum + n : sum),
    0,
  );
  return [
    run.verification !== null && run.verification.verdict !== 'verified' && run.verification.verdict,
    run.status !== 'complete' && inWords(run.status),
    run.shard !== null && `part ${run.shard.index} of ${run.shard.of}`,
    run.status === 'complete' && nFailed > 0 && `${casesText(nFailed)} not scored`,
    run.simulated && 'simulated',
    run.imported && 'imported',
    run.sensitivity === 'protected' && 'protected',
  ];
}

/** A share as a count. */
function scoreCell(score: ScoreLine | undefined): Inline {
  if (score === undefined) return DASH;
  const { value, reason, n, n_successes: count, interval, bounds } = score;
  const around = isShare(score) ? shares : range;
  const could = bounds === null ? [] : [BREAK, muted(`bounds ${around(bounds)}`)];
  if (value === null) return [muted(inWords(reason ?? 'no value')), ...could];
  return [
    strong(count === null ? number(value) : `${whole(count)} of ${whole(n)}`),
    BREAK,
    muted(interval === null ? `${number(value)} (no interval)` : around(interval)),
    ...(count === null ? [BREAK, muted(`n = ${whole(n)}`)] : []),
    ...could,
  ];
}

function isShare({ n_successes: count }: ScoreLine): boolean {
  return count !== null;
}

/** In percent, which is shorter, on one line. */
function shares({ lower, upper }: { readonly lower: number; readonly upper: number }): string {
  return `${decimals(lower * 100, 1)}\u00a0to\u00a0${percent(upper)}`;
}

/** A score of each model over its runs, the longest series first. */
function histories(runs: readonly SuiteRun[]): SuiteHistory[] {
  const ended = runs.filter(({ scores }) => scores.length > 0);
  return [...Map.groupBy(ended, ({ run }) => nameSeries(run))]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([model, newestFirst]) => {
      const [newest] = newestFirst;
      const primary = newest!.run.headline?.name;
      return {
        model,
        n_runs: newestFirst.length,
        scores: newest!.scores
          .toSorted((a, b) => Number(b.name === primary) - Number(a.name === primary))
          .map((score) => ({
            name: score.name,
            label: score.label,
            section: historySection(model, newestFirst.toReversed(), score),
          })),
      };
    });
}

interface Point {
  readonly run: RunLine;
  readonly score: ScoreLine | undefined;
}

/** A score over the runs of one model, the oldest first. */
function historySection(
  model: string,
  runs: readonly SuiteRun[],
  { name, label }: Pick<ScoreLine, 'name' | 'label'>,
): Section {
  const blocks = (): (Block | false)[] => {
    if (runs.length < 2)
      return [
        paragraph(`There is one run of ${model}. A second run of the same suite and model starts a history.`),
      ];
    const nVersions = countVersions(runs);
    return [
      nVersions > 1 &&
        paragraph(
          strong(
            `These runs used ${nVersions} versions of the suite, with different cases: a difference can come from the cases.`,
          ),
        ),
      historyFigure(
        label,
        runs.map(({ run, scores }) => ({ run, score: scores.find((score) => score.name === name) })),
      ),
    ];
  };
  return section({ id: 'history', title: 'History' }, blocks());
}

function historyFigure(label: string, points: readonly Point[]): Block {
  const control = computeControl(points);
  const formatDate = shortDates(points);
  return figure(
    {
      chart: 'history',
      data: {
        title: label,
        points: points.map((point, place) => historyPoint(point, formatDate, control?.isOut[place] ?? false)),
        ...(control && { limits: control.limits }),
      },
    },
    `Each run with its interval, in the order in which they started. Intervals that overlap do not show that nothing changed; compare two runs for that.${control === null ? '' : ' The lines are action limits around the first run; a diamond is a run beyond them, or the second of three beyond the warning limits. krisis drift decides, by a paired test.'} Select a run to open it.`,
    table(
      scoreTitle(label),
      ['run', ...numbers('value', 'n')],
      points.map(({ run, score }) => [
        [
          runLink(run, dateText(run.created_at)),
          ...beside([nameRun(run) !== run.model && nameRun(run), ...listMarks(run)]),
        ],
        score?.value == null
          ? muted(inWords(score?.reason ?? 'no value'))
          : [
              strong(number(score.value)),
              ...shown([score.interval !== null && muted(` (${range(score.interval)})`)]),
            ],
        score === undefined ? DASH : whole(score.n),
      ]),
    ),
    true,
  );
}

function historyPoint(
  { run, score }: Point,
  formatDate: (createdAt: string) => string,
  isAlarm: boolean,
): HistoryPoint {
  const value = score?.value == null ? 'no value' : decimals(score.value);
  return {
    date: formatDate(run.created_at),
    value: score?.value ?? null,
    lower: score?.interval?.lower ?? null,
    upper: score?.interval?.upper ?? null,
    n: score?.n ?? 0,
    isAlarm,
    link: {
      href: `#${buildPath(run)}`,
      label: `${dateText(run.created_at)}: ${value}. Open the run`,
    },
  };
}

/** Runs of one day differ in the time of the day. */
function shortDates(points: readonly Point[]): (createdAt: string) => string {
  const isOneDay = new Set(points.map(({ run }) => run.created_at.slice(0, 10))).size === 1;
  return (createdAt) => (isOneDay ? createdAt.slice(11, 16) : createdAt.slice(0, 10));
}

/** Limits around the first run; null where the score is not a share of the same records in all runs. */
function computeControl(
  points: readonly Point[],
): { limits: { name: string; value: number }[]; isOut: boolean[] } | null {
  const [first, ...later] = points;
  const shares = points.map(({ score }) => score?.n_successes ?? null);
  const isSame = ({ run, score }: Point) =>
    run.shard === null &&
    run.suite_hash !== null &&
    run.suite_hash === first?.run.suite_hash &&
    score?.n === first.score?.n;
  if (first?.score === undefined || later.length === 0 || !points.every(isSame)) return null;
  if (!shares.every((share) => share !== null)) return null;
  const [successes = 0, ...rest] = shares;
  const limits = controlLimits(successes, first.score.n);
  const states = controlChart(successes, first.score.n, rest);
  if (limits === null || states === null) return null;
  return {
    limits: limits.action.map((value) => ({ name: 'action limit', value })),
    isOut: [false, ...states.map((state) => state === 'action' || state === 'two_of_three')],
  };
}
