import { randomUUID } from 'node:crypto';
import { contentHash } from '../../core/canonical-json.ts';
import { KrisisError } from '../../core/errors.ts';
import type { EvaluationResult } from '../../core/evaluation-result.ts';
import { type Label, labelKey, sameLabel } from '../../core/label.ts';
import { getStratum } from '../../core/patient-record.ts';
import { quoted } from '../../core/plain-text.ts';
import type { Metric } from '../../metrics/metric.ts';
import type { ScoringOptions } from '../../metrics/score.ts';
import { protectedMetadata } from '../../store/protected-data.ts';
import type { NewRow } from '../../store/rows.ts';
import type { RunFile } from '../../store/run-file.ts';
import { SCHEMA_VERSION } from '../../store/tables.ts';
import { finishRun, sealedScores } from '../finish-run.ts';
import { storeReport } from '../report.ts';

/** What is said of rows that become a run. */
export interface RecordRowsOptions {
  /** What the rows are called: the name of their file. */
  readonly source: string;
  /** SHA-256 of the file. Default: not stated. */
  readonly sha256?: string | undefined;
  /** The model that gave the answers. */
  readonly model: string;
  /** Whether rows may be about patients. Default: `protected`. */
  readonly sensitivity?: 'protected' | 'public' | 'synthetic' | undefined;
  readonly scoring: ScoringOptions;
  /** Metrics beside the bundle. Default: none. */
  readonly ownMetrics?: readonly Metric[] | undefined;
  /** The version that writes the run. */
  readonly krisisVersion: string;
}

/** The metadata key of the prompt that asked about several records at once. */
const ASKED_TOGETHER = 'asked_together';
/** What rows that were answered elsewhere are called as a suite. */
const RECORDED = 'recorded answers';
const ROWS_AT_ONCE = 1000;
/** A longer text is not a label, but what a model wrote. */
const MAX_LABEL_LENGTH = 100;
const CODE = /^[\w:.-]{1,60}$/;
const CONTRADICTION =
  'rows of one case must have the same ground truth, the same should_abstain and the same must_act';

interface Known {
  readonly truth: Label | null;
  readonly shouldAbstain: unknown;
  readonly mustAct: unknown;
  /** A hash of what was asked, where another tool's file says it. */
  readonly input: unknown;
}

/**
 * Makes a run of rows that were answered elsewhere, so that reports, the viewer and comparisons can read them. Rows may be about patients, so the run is protected: of their metadata it
 * keeps the keys that it is scored by. Two files have the same suite when all their rows have ids, and ids, truths, deferral labels and marks of emergencies are the same.
 *
 * @throws KrisisError when rows of one record contradict each other.
 */
export function recordRows(run: RunFile, options: RecordRowsOptions) {
  const { scoring } = options;
  const known = new Map<string, Known>();
  const counts = new Map<string, number>();
  const labels = new Map<string | number, Label>();
  let [nRows, nRepeats, hasIds, hasCalls] = [0, 1, true, false];
  let portion: {
    readonly id: string;
    readonly row: EvaluationResult;
    readonly repeat: number;
    readonly isFirst: boolean;
  }[] = [];
  run.setManifest(makeManifest(options));
  const { keep, keptText } = keepersFor(options);

  const flush = () => {
    const first = portion.filter(({ isFirst }) => isFirst);
    const start = known.size - first.length;
    run.records.enter(
      first.map(({ id, row: { groundTruth, metadata, call } }, i) => {
        const label = keptText(groundTruth);
        const kept = keep(call === null ? metadata : { ...metadata, [ASKED_TOGETHER]: call });
        return [start + i, { id, label, metadata: kept, features: {} }] as const;
      }),
      false,
    );
    run.rows.enter(
      portion.map(({ id, row, repeat }) => ({
        ...toNewRow(id, row, repeat),
        prediction: keptText(row.prediction),
      })),
    );
    portion = [];
  };

  return {
    add(row: EvaluationResult, place?: { readonly repeat: number }): void {
      nRows += 1;
      if (row.id === null) hasIds = false;
      hasCalls ||= row.call !== null;
      if (row.groundTruth !== null) labels.set(labelKey(row.groundTruth), row.groundTruth);
      const id = row.id ?? `row_${nRows}`;
      const before = known.get(id);
      if (before === undefined) known.set(id, readKnown(row));
      else if (isContradicted(before, readKnown(row)))
        throw new KrisisError(
          `${options.source}: rows of the case ${quoted(id)} contradict each other; ${CONTRADICTION}`,
          { code: 'ERR_ROW_FILE', value: id },
        );
      const repeat = place?.repeat ?? counts.get(id) ?? 0;
      counts.set(id, repeat + 1);
      nRepeats = Math.max(nRepeats, repeat + 1);
      portion.push({ id, row, repeat, isFirst: before === undefined });
      if (portion.length === ROWS_AT_ONCE) flush();
    },
    /** Scores the run; `found` and `model` replace those of the options, where the rows decide about them. */
    finish(found = scoring, model = options.model) {
      flush();
      const suiteHash = hasIds ? hashRecords(known) : null;
      const { task: pack, positiveLabel } = found;
      const all = { ...found, ...(hasCalls && !found.cluster && { cluster: ASKED_TOGETHER }) };
      run.setManifest({
        model,
        identity: makeIdentity(model, { suiteHash: suiteHash, task: pack ?? null, repeats: nRepeats }),
        nSelected: known.size,
        ...((pack || found.actLabels) && {
          task: {
            id: pack ?? RECORDED,
            labels: found.labels ?? [...labels.values()].sort(byText),
            positiveLabel: positiveLabel ?? null,
            ordered: found.labels !== undefined,
            pack: pack ?? null,
            actLabels: found.actLabels ?? null,
          },
        }),
      });
      const end = {
        status: 'complete' as const,
        stoppedBecause: null,
        elapsedSeconds: null,
        waitedSeconds: null,
        batchSize: 1,
        maxConcurrency: null,
        simulated: false,
      };
      const { result, stored } = finishRun(run, end, {
        scoring: all,
        ownMetrics: options.ownMetrics,
      });
      run.setManifest(stored);
      storeReport(run, result);
      run.seal({ scoresHash: sealedScores(result), krisisVersion: options.krisisVersion });
      return result;
    },
  };
}

/** What a run keeps of metadata and of labels: of protected rows, what it is scored by. */
function keepersFor({ scoring, sensitivity = 'protected' }: RecordRowsOptions) {
  const isProtected = sensitivity === 'protected';
  const keepProtected = protectedMetadata({
    groups: [...(scoring.groupBy ?? []), (scoring.stratum ?? getStratum(null)).key],
    clusters: [scoring.cluster, ASKED_TOGETHER],
    task: {},
  });
  return {
    keep: (metadata: EvaluationResult['metadata']) => (isProtected ? keepProtected(metadata) : metadata),
    keptText: (label: Label | null) => (isProtected ? keptLabel(label) : label),
  };
}

function readKnown({ groundTruth: truth, metadata }: EvaluationResult): Known {
  const {
    should_abstain: shouldAbstain = null,
    must_act: mustAct = null,
    input_hash: input = null,
  } = metadata;
  return { truth, shouldAbstain, mustAct, input };
}

function isContradicted(before: Known, now: Known): boolean {
  return (
    !isSame(before.truth, now.truth) ||
    before.shouldAbstain !== now.shouldAbstain ||
    before.mustAct !== now.mustAct
  );
}

function makeIdentity(
  model: string,
  found: { suiteHash: string | null; task: string | null; repeats: number },
) {
  return { ...found, model, arm: null, promptHash: null, parameters: {}, batchSize: 1 };
}

function makeManifest({
  source,
  sha256,
  model,
  krisisVersion,
  scoring,
  sensitivity = 'protected',
}: RecordRowsOptions) {
  const name = [RECORDED, ...(scoring.task ? [scoring.task] : [])].join(', ');
  return {
    identity: makeIdentity(model, { suiteHash: null, task: null, repeats: 1 }),
    runId: randomUUID(),
    schemaVersion: SCHEMA_VERSION,
    krisisVersion: krisisVersion,
    createdAt: new Date().toISOString(),
    status: 'running' as const,
    suite: { name, sensitivity },
    suiteName: name,
    sensitivity,
    keepText: false,
    model,
    simulated: false,
    parameters: {},
    recorded: { source, ...(sha256 !== undefined && { sha256 }) },
  };
}

function toNewRow(id: string, row: EvaluationResult, repeat: number): NewRow {
  const { state, stateReason, abstained, confidence, score, checked, urgent, deferralReason } = row;
  return {
    id,
    repeat,
    state,
    stateReason: keptCode(stateReason),
    abstained,
    confidence,
    score: score ?? null,
    checked: checked ?? null,
    urgent,
    deferralReason: keptCode(deferralReason),
  };
}

function keptCode(code: string | null): string | null {
  return code !== null && CODE.test(code) ? code : null;
}

/** Keep labels; replace free text by its hash, so that equal texts stay equal. */
function keptLabel(label: Label | null): Label | null {
  if (typeof label !== 'string' || label.trim().length <= MAX_LABEL_LENGTH) return label;
  return `text ${contentHash(labelKey(label)).slice(0, 12)}`;
}

function isSame(a: Label | null, b: Label | null): boolean {
  return a === null || b === null ? a === b : sameLabel(a, b);
}

function byText(a: Label, b: Label): number {
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}

/** Equal for the same records, in whatever order. */
function hashRecords(known: ReadonlyMap<string, Known>): string {
  const records = [...known].map(([id, { truth, shouldAbstain, mustAct, input }]) => [
    id,
    truth === null ? null : labelKey(truth),
    shouldAbstain,
    mustAct,
    ...(input === null ? [] : [input]),
  ]);
  return contentHash({ recorded: records.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)) });
}
