import { deepSnakeKeys } from '../../core/index.ts';
import {
  type CorrectedScore,
  type ItemReview,
  notCorrectedText,
  type PanelReport,
  type RecordReview,
  type RunReview,
} from '../../results/index.ts';
import { scoreObject } from './trait-objects.ts';

/** What people say of a run, in file form. */
export function reviewObject({ head, items, records, suiteItems }: RunReview) {
  return {
    /** The last label that was read; null without labels. */
    last_label: head,
    items: items && itemReviewObject(items),
    records: records && recordReviewObject(records),
    suite_items: suiteItems && deepSnakeKeys(suiteItems),
  };
}

/** Agreement with a panel, in file form. */
export function panelObject(panel: PanelReport) {
  return deepSnakeKeys(panel);
}

function itemReviewObject({ states, calibration: _, corrected, drawn, ...found }: ItemReview) {
  return {
    ...deepSnakeKeys(found),
    states,
    plan: planObject(drawn),
    corrected: corrected.map(correctedObject),
  };
}

function recordReviewObject({ states, drawn, ...found }: RecordReview) {
  return { ...deepSnakeKeys(found), states, plan: planObject(drawn) };
}

function planObject(drawn: ItemReview['drawn']) {
  if (drawn === null) return null;
  const { guidelineText: _, ...plan } = drawn.plan;
  return { ...deepSnakeKeys(plan), n_drawn: drawn.nDrawn, n_settled: drawn.nSettled };
}

function correctedObject(found: CorrectedScore) {
  const { judged: _, raw, reason, ...rest } = found;
  return {
    ...deepSnakeKeys(rest),
    raw: scoreObject(raw),
    reason,
    not_corrected: reason === null ? null : notCorrectedText(found),
  };
}
