import { z } from 'zod';
import type { Scorecard } from '../metrics/score.ts';
import type { Warning } from '../metrics/warning.ts';
import type { Section } from '../reports/document/document.ts';
import type { Gate, GateFunction } from '../runs/conditions/expression.ts';
import type { GateVerdict } from '../runs/conditions/verdict.ts';
import type { ReadRunOptions } from '../runs/read-options.ts';
import type { AnalysisFields, AnalysisResults, RunResult, UnwarnedResult } from '../runs/run-result.ts';
import {
  type Analysis,
  type Collector,
  emptyResult,
  type LabelsInput,
  type Place,
  type RunAnalysis,
  type RunInput,
  type RunsAnalysis,
  resultsObject,
  type Sections,
} from './analysis.ts';
import { ASKED_ANALYSES, askedSections, computeTogether } from './asked-analyses.ts';
import { askedRun } from './asked-rates.ts';
import { baselinesAnalysis } from './baselines/analysis.ts';
import { boardAnalysis } from './board/analysis.ts';
import { comparisonAnalysis } from './comparison/analysis.ts';
import { clusterKey } from './comparison/pair-clusters.ts';
import { confidenceSourcesAnalysis } from './confidence-sources/analysis.ts';
import { decisionsAnalysis, prevalenceAnalysis } from './decisions/analysis.ts';
import { detectableAnalysis } from './detectable-difference/analysis.ts';
import { driftAnalysis } from './drift/analysis.ts';
import { earlyStopAnalysis } from './early-stop/analysis.ts';
import { failuresAnalysis, unusableAnalysis } from './failures/analysis.ts';
import { flowAnalysis } from './flow/analysis.ts';
import { verdictsAnalysis } from './judging/verdicts.ts';
import { optionsIn } from './options.ts';
import { recordIndexAnalysis } from './record-index/record-index.ts';
import { panelAnalysis, reviewAnalysis } from './review/analysis.ts';
import { judgingAnalysis } from './review/reviewed-judging.ts';
import { confidenceStepsAnalysis, thresholdAnalysis } from './threshold/analysis.ts';

/** Every analysis; the sections of one place have this order. A new one is its folder and a line here. */
const ANALYSES: readonly (RunAnalysis<unknown, never> | RunsAnalysis<unknown, unknown, never>)[] = [
  earlyStopAnalysis,
  failuresAnalysis,
  unusableAnalysis,
  baselinesAnalysis,
  flowAnalysis,
  confidenceSourcesAnalysis,
  thresholdAnalysis,
  confidenceStepsAnalysis,
  boardAnalysis,
  decisionsAnalysis,
  prevalenceAnalysis,
  detectableAnalysis,
  recordIndexAnalysis,
  ...ASKED_ANALYSES,
  verdictsAnalysis,
  judgingAnalysis,
  reviewAnalysis,
  panelAnalysis,
  comparisonAnalysis,
  driftAnalysis,
];
const REGISTERED = inOrderOfNeed(ANALYSES);
const OF_RUN = REGISTERED.filter((analysis) => analysis.of === 'run');
/** Those whose results are part of the report of a run. */
const REPORTED = REGISTERED.filter(
  ({ of, id }) => of === 'run' || ASKED_ANALYSES.some((asked) => asked.id === id),
);

/** The results as files keep them. */
export const analysisResultsSchema = z.object(
  Object.fromEntries(REPORTED.map(({ id, schema }) => [id, schema.nullable()])),
);

/** The functions of analyses that reference cases name. */
export const ANALYSIS_CASES = Object.assign({}, ...REGISTERED.map(({ cases }) => cases)) as NonNullable<
  Analysis['cases']
>;

/** The commands of analyses of one run, by name. */
export const ANALYSIS_COMMANDS = Object.fromEntries(
  OF_RUN.flatMap(({ id, options = z.object({}), command }) =>
    command === undefined ? [] : [[command.name, { id, options, command }]],
  ),
);

/** The commands of analyses of several runs, by name. */
export const RUNS_COMMANDS = Object.fromEntries(
  ANALYSES.flatMap((analysis) =>
    analysis.of === 'run' || analysis.command === undefined
      ? []
      : [
          [
            analysis.command.name,
            { analysis: analysis as RunsAnalysis<unknown, unknown, unknown>, command: analysis.command },
          ],
        ],
  ),
);

/** What analyses can be asked for in the config file, in addresses of the viewer and by programs, by id: those options that are flags too. */
export const analysisOptionsSchema = z.strictObject(
  Object.fromEntries(
    REGISTERED.flatMap(({ id, options }) => {
      const described = Object.entries(options?.shape ?? {}).filter(
        ([, schema]) => (schema as z.ZodType).description !== undefined,
      );
      return described.length === 0
        ? []
        : [[id, z.strictObject(Object.fromEntries(described) as z.ZodRawShape).optional()] as const];
    }),
  ),
);

/** The analyses whose options are those of a report. */
export const REPORTED_WITH_OPTIONS = OF_RUN.filter(({ command, options }) => options && !command);

/** The numbers of analyses that conditions can name. */
export const GATE_FUNCTIONS: Readonly<Record<string, GateFunction>> = Object.assign(
  {},
  ...REGISTERED.map(({ gates }) => gates),
);

/** The outcome of a condition on a number of an analysis. `gates`: all conditions of the run. */
export function checkFunction(
  gate: Gate,
  gates: readonly Gate[],
  ledger: LabelsInput['card']['ledger'],
  analyse: RunResult['analyse'] = () => null,
): GateVerdict {
  const { id, gates: own } = REGISTERED.find((analysis) => Object.hasOwn(analysis.gates ?? {}, gate.metric))!;
  const alike = gates.filter(({ metric }) => metric === gate.metric);
  return own![gate.metric]!.check(gate, {
    ledger,
    nGates: new Set(alike.map(({ numbers }) => String(numbers))).size,
    analyse: (options) => analyse(id, options),
  });
}

/** An analysis comes after those it needs. */
function inOrderOfNeed<A extends Analysis>(analyses: readonly A[]): readonly A[] {
  const placed: A[] = [];
  const place = (analysis: A, askers: readonly string[]): void => {
    if (placed.includes(analysis)) return;
    if (askers.includes(analysis.id))
      throw new Error(`analyses need each other: ${[...askers, analysis.id].join(' -> ')}`);
    for (const id of analysis.needs ?? []) {
      const needed = analyses.find((other) => other.id === id);
      if (needed === undefined) throw new Error(`${analysis.id} needs ${id}, which is no analysis`);
      place(needed, [...askers, analysis.id]);
    }
    placed.push(analysis);
  };
  for (const analysis of analyses) place(analysis, []);
  return placed;
}

/** Collectors of the analyses that look at rows while they are read, by id. */
export function startCollectors(
  scoring: LabelsInput['scoring'],
  task: RunResult['task'],
): ReadonlyMap<string, Collector> {
  return new Map(
    OF_RUN.flatMap(({ id, collect }) => (collect ? [[id, collect(scoring, task)] as const] : [])),
  );
}

/** Everything that is computed from the rows of a run; each result when it is first read. */
export function analyseRun(
  input: Omit<RunInput, 'need'> | Omit<LabelsInput, 'need' | 'collected'>,
  collectors: ReadonlyMap<string, Collector> = new Map(),
  options: Pick<ReadRunOptions, 'analyses'> = {},
): { readonly results: AnalysisResults; analyse(id: string, options: unknown): unknown } {
  const results: Record<string, unknown> = {};
  const need = <Result>({ id }: Analysis<Result>) => results[id] as Result | null;
  const inputFor = (id: string) => ({ ...input, need, collected: collectors.get(id) ?? null });
  // Without rows in columns, a run has nothing for the analyses of labels.
  const kinds = ['both', 'table' in input ? 'labels' : input.run.task?.kind === 'text' && 'text'];
  for (const { id, compute, appliesTo = 'labels', command, options: own } of OF_RUN) {
    const stated = command === undefined && own !== undefined ? optionsIn(own, options) : {};
    const given = { ...options.analyses?.[id], ...definedIn(stated) };
    if (kinds.includes(appliesTo))
      defineLazily(results, id, () => compute(inputFor(id) as never, given as never));
    else results[id] = null;
  }
  if ('table' in input) {
    const { backendName: name, repeats, task, primaryEndpoint } = input.run;
    const { method } = input.card;
    const cluster = clusterKey(method);
    const asked = askedRun({ name, repeats, task, primaryEndpoint, cluster, rows: input.rows });
    for (const analysis of ASKED_ANALYSES)
      defineLazily(results, analysis.id, () => computeTogether(analysis, [asked], method));
  }
  return {
    results,
    analyse: (id, options) => {
      const { appliesTo = 'labels', compute } = OF_RUN.find((analysis) => analysis.id === id)!;
      return kinds.includes(appliesTo) ? compute(inputFor(id) as never, options) : null;
    },
  };
}

/** The result of an analysis of rows that belong to no run. */
export function analyseRows(
  id: string,
  rows: Pick<LabelsInput, 'table' | 'card'>,
  options: unknown,
): unknown {
  const input = { ...rows, run: { status: 'complete' } };
  return OF_RUN.find((analysis) => analysis.id === id)!.compute(input as never, options);
}

/** The properties that have a value. */
function definedIn(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

function defineLazily(results: object, id: string, compute: () => unknown): void {
  let result: { readonly value: unknown } | null = null;
  Object.defineProperty(results, id, {
    enumerable: true,
    get: () => {
      result ??= { value: compute() };
      return result.value;
    },
  });
}

/** The card with the scores that analyses add to those of the rows. */
export function withAddedScores(card: Scorecard, results: AnalysisResults): Scorecard {
  const added = OF_RUN.flatMap(({ id, scores }) => {
    const result = scores && (results[id] ?? null);
    return result ? scores(result, card) : [];
  });
  return added.length === 0 ? card : { ...card, scores: [...card.scores, ...added] };
}

/** What a reader must know before quoting a number of an analysis. */
export function analysisWarnings(run: UnwarnedResult): Warning[] {
  return OF_RUN.flatMap(({ id, warnings }) => {
    const result = warnings && (run.analyses[id] ?? null);
    return result ? warnings(result, run) : [];
  });
}

/** The results that are fields of a run's result. Of nothing, a list is empty and any other result null. */
export function analysisFields(results: AnalysisResults): AnalysisFields {
  const fields = OF_RUN.flatMap(({ id, field, schema }) => {
    return field === undefined ? [] : [[field, results[id] ?? emptyResult(schema)]];
  });
  return Object.fromEntries(fields) as AnalysisFields;
}

/** Where the sections of analyses of several runs stand in the report of one. */
const PLACE_OF_RUNS = 'decisions';

/** The sections of analyses that stand in one place of a run's report. */
export function sectionsAt(
  place: Place,
  run: RunResult,
  options: Parameters<NonNullable<Sections[Place]>>[1],
): readonly (Section | null)[] {
  return [
    ...ANALYSES.flatMap((analysis) =>
      analysis.of === 'run' && appliesToRun(analysis, run)
        ? (analysis.sections?.[place]?.(run, options) ?? [])
        : [],
    ),
    ...(place === PLACE_OF_RUNS ? askedSections(run.analyses) : []),
  ];
}

function appliesToRun({ appliesTo = 'labels' }: Analysis, { task }: Pick<RunResult, 'task'>): boolean {
  return appliesTo === 'both' || appliesTo === (task?.kind ?? 'labels');
}

/** The results as JSON reports have them. */
export function analysesObject(run: Pick<RunResult, 'analyses' | 'task'>): Record<string, unknown> {
  return resultsObject(
    REPORTED.filter((analysis) => appliesToRun(analysis, run)),
    run.analyses,
  );
}
