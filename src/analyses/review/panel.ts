import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { isObject } from '../../core/collections.ts';
import { KrisisError } from '../../core/errors.ts';
import type { Label } from '../../core/label.ts';
import { shown } from '../../core/plain-text.ts';
import { createScore, type Score } from '../../core/score.ts';
import type { Scorecard } from '../../metrics/score.ts';
import { PANEL_AGREEMENT } from '../../runs/conditions/metric-range.ts';
import { type LabelShare, labelShare, labelShareSchema } from '../../statistics/methods/judge-accuracy.ts';
import { mean } from '../../statistics/samples.ts';
import type { Review } from '../../store/review/review-schema.ts';
import { type DecidedRow, labelDecision, urgencyCategory } from './decisions.ts';
import { readDecision } from './resolve-targets.ts';

/** What one clinician decided on one record. */
export interface PanelLabel {
  readonly recordId: string;
  readonly rater: string;
  /** `label:...` or `defer`. */
  readonly decision: string;
  /** Whether the record is an emergency; null where not stated. */
  readonly urgent: boolean | null;
}

/** Which records a panel calls emergencies. */
const panelUrgencySchema = z.object({
  nRecords: count,
  nRaters: count,
  /** Mean over records whose `must_act` is known of the share of raters who say the same. */
  suite: labelShareSchema,
  /** The same for each rater against the others, over records with two raters or more. */
  panel: labelShareSchema,
});

export const panelReportSchema = z.object({
  nRecords: count,
  nRaters: count,
  nLabels: count,
  /** Labels on records that the run does not have. */
  nUnmatched: count,
  /** Mean over records of the share of raters who made the model's decision. */
  model: labelShareSchema,
  /** The same for each rater against the others, over records with two raters or more. */
  panel: labelShareSchema,
  /** Model minus panel, on the records with two raters or more that the model decided. */
  difference: labelShareSchema,
  raters: z.array(labelShareSchema.extend({ rater: z.string() })),
  /** Records that two raters or more decided, and that no two decided alike. */
  nSplit: count,
  /** The same for urgency, with the suite's `must_act` in place of the model; null where no rater stated it. */
  urgency: panelUrgencySchema.nullable(),
  urgencyReason: z.literal('urgency_not_stated').nullable(),
});
/** A model against a panel of clinicians, and the panel against itself. */
export type PanelReport = Shape<typeof panelReportSchema>;

/**
 * The decisions in a review that count for a panel: blind, not corrected since, and not an adjudicator's. `source` is put before the names of raters: those of different reviews are different people.
 *
 * @example
 * ```ts
 * panelLabels({ events: [] }) // => []
 * ```
 */
export function panelLabels({ events }: Pick<Review, 'events'>, source = ''): PanelLabel[] {
  const corrected = new Set(events.flatMap(({ supersedes }) => supersedes ?? []));
  return events.flatMap((event) => {
    const { kind, role, blind, verdict, recordId, rater, urgent } = event;
    const counts = kind === 'record' && role === 'rater' && blind && !corrected.has(event.id);
    if (!counts || verdict === 'skip' || verdict === 'cannot_tell') return [];
    return [{ recordId, rater: `${source}${rater}`, decision: readDecision(event), urgent }];
  });
}

/** Agreement with the panel. Null without labels on records of the run. */
export function panelReport(
  labels: readonly PanelLabel[],
  rows: readonly DecidedRow[],
  level: number,
): PanelReport | null {
  const byRecord = Map.groupBy(rows, ({ id }) => id);
  const known = labels.filter(({ recordId }) => byRecord.has(recordId));
  if (known.length === 0) return null;
  const { other: model, ...found } = compareWithPanel(known, byRecord, {
    decide: (row) => row.model,
    level,
  });
  const stated = known.flatMap(({ recordId, rater, urgent }) =>
    urgent === null ? [] : [{ recordId, rater, decision: urgencyCategory(urgent) }],
  );
  const { nRecords, nRaters, other, panel } = compareWithPanel(stated, byRecord, {
    decide: ({ facts: { mustAct } }) => (mustAct === null ? null : urgencyCategory(mustAct)),
    level,
  });
  return {
    ...found,
    model,
    nLabels: known.length,
    nUnmatched: labels.length - known.length,
    urgency: stated.length === 0 ? null : { nRecords, nRaters, suite: other, panel },
    urgencyReason: stated.length === 0 ? 'urgency_not_stated' : null,
  };
}

/** What raters say on records of the run beside what `decide` reads from their rows. */
function compareWithPanel(
  labels: readonly Pick<PanelLabel, 'recordId' | 'rater' | 'decision'>[],
  byRecord: ReadonlyMap<string, readonly DecidedRow[]>,
  { decide, level }: { readonly decide: (row: DecidedRow) => string | null; readonly level: number },
) {
  const panel = [...Map.groupBy(labels, ({ recordId }) => recordId)].map(([recordId, own]) => {
    const decisions = new Map(own.map(({ rater, decision }) => [rater, decision]));
    const answers = byRecord.get(recordId)!;
    const shares = answers.flatMap((row) => {
      const own = decide(row);
      if (own === null) return [];
      return [[...decisions.values()].filter((human) => human === own).length / decisions.size];
    });
    return {
      cluster: answers[0]!.cluster,
      other: mean(shares),
      raters:
        decisions.size < 2
          ? []
          : [...decisions].map(([rater, own]) => ({ rater, share: othersWith(own, decisions) })),
    };
  });
  const double = panel.filter(({ raters }) => raters.length > 0);
  const own = (raters: (typeof panel)[number]['raters']) => mean(raters.map(({ share }) => share))!;
  const computeShare = (values: readonly { readonly value: number; readonly cluster: string }[]) =>
    labelShare(
      values.map((value) => ({ ...value, pi: 1 })),
      level,
    );
  const names = [...new Set(labels.map(({ rater }) => rater))].sort();
  return {
    nRecords: panel.length,
    nRaters: names.length,
    other: computeShare(
      panel.flatMap(({ other, cluster }) => (other === null ? [] : [{ value: other, cluster }])),
    ),
    panel: computeShare(double.map(({ raters, cluster }) => ({ value: own(raters), cluster }))),
    difference: scaled(
      computeShare(
        double.flatMap(({ other, raters, cluster }) =>
          other === null ? [] : [{ value: (other - own(raters) + 1) / 2, cluster }],
        ),
      ),
    ),
    raters: names.map((rater) => ({
      rater,
      ...computeShare(
        double.flatMap(({ raters, cluster }) =>
          raters.flatMap((one) => (one.rater === rater ? [{ value: one.share, cluster }] : [])),
        ),
      ),
    })),
    nSplit: double.filter(({ raters }) => raters.every(({ share }) => share === 0)).length,
  };
}

/** Agreement with the panel as a score: for tables, JSON and conditions. */
export function panelScore({ model, nRecords }: PanelReport, { method }: Pick<Scorecard, 'method'>): Score {
  const { value, lower, upper, n } = model;
  const interval = lower === null || upper === null ? null : { lower, upper, level: method.level };
  return createScore({
    name: PANEL_AGREEMENT,
    label: 'Agreement with the panel',
    family: 'correctness',
    reads: 'share of raters who decided as the model did, mean over cases',
    value,
    reason: value === null ? 'nothing_decided' : null,
    interval: interval && { ...interval, method: 'review', resamples: null, unit: 'cluster' },
    intervalReason: interval === null ? (value === null ? 'value_undefined' : 'no_variation') : null,
    nEvaluated: n,
    scoredOf: { n: nRecords, nScored: n, unscored: 'cases of the panel failed or never ran' },
  });
}

/** From a share back to a difference, which lies between -1 and 1. */
function scaled({ value, lower, upper, n }: LabelShare): LabelShare {
  const back = (share: number | null) => (share === null ? null : 2 * share - 1);
  return { value: back(value), lower: back(lower), upper: back(upper), n };
}

/** The share of the other raters who decided as this one did. */
function othersWith(decision: string, decisions: ReadonlyMap<string, string>): number {
  const same = [...decisions.values()].filter((other) => other === decision).length;
  return (same - 1) / (decisions.size - 1);
}

/**
 * Reads a panel from JSONL, one decision per line: `record_id`, `rater`, either `label` or `verdict` (`defer`; `cannot_tell` and `skip` are left out), and beside the decision, if stated, `urgent`.
 *
 * @throws KrisisError with the line that cannot be read.
 *
 * @example
 * ```ts
 * parsePanelLabels('{"record_id":"r17","rater":"ann","label":"G3a"}')
 * // => [{ recordId: 'r17', rater: 'ann', decision: 'label:g3a', urgent: null }]
 * ```
 */
export function parsePanelLabels(text: string, where = 'panel'): PanelLabel[] {
  const labels = text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    const given = parsed(line);
    const refuse = (): never => {
      throw new KrisisError(
        `${where}:${i + 1}: ${shown(line)}; expected an object with record_id, rater, label or verdict (defer), and optionally urgent (true, false)`,
        { code: 'ERR_PANEL_LABELS', value: line },
      );
    };
    if (given === null) return refuse();
    const recordId = given.record_id ?? given.recordId;
    const { rater, label = null, urgent = null, verdict = label === null ? null : 'label' } = given;
    if (typeof recordId !== 'string' || typeof rater !== 'string' || rater === '') return refuse();
    if (verdict === 'cannot_tell' || verdict === 'skip') return [];
    if (urgent !== null && typeof urgent !== 'boolean') return refuse();
    if (verdict === 'defer') return [{ recordId, rater, decision: verdict, urgent }];
    const isLabel = typeof label === 'string' || typeof label === 'number' || typeof label === 'boolean';
    if (verdict !== 'label' || !isLabel) return refuse();
    return [{ recordId, rater, decision: labelDecision(label as Label)!, urgent }];
  });
  if (labels.length > 0) return labels;
  throw new KrisisError(`${where}: no decisions; expected one JSON object per line`, {
    code: 'ERR_PANEL_LABELS',
    value: text,
  });
}

function parsed(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
