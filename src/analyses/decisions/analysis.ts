import { z } from 'zod';
import {
  type DecisionGroups,
  decisionGroups,
  decisionGroupsSchema,
  decisionsAtPrevalence,
  decisionsAtPrevalenceSchema,
} from '../../metrics/deferral/decision-groups.ts';
import { defineRunAnalysis, type LabelsInput } from '../analysis.ts';
import { share } from '../options.ts';
import { decisionCurve, decisions } from './section.ts';

/** After an early stop, an interval for a fixed number of rows would not hold. */
const NO_INTERVAL = { lower: null, upper: null } as const;

/** Right decisions by reason to defer and by class; null without deferral labels. */
export const decisionsAnalysis = defineRunAnalysis({
  id: 'decisions',
  schema: decisionGroupsSchema,
  compute: (input) => {
    const groups = groupRows(input);
    return groups && isStoppedEarly(input) ? withoutIntervals(groups) : groups;
  },
  field: 'decisions',
  sections: { confidence: decisionCurve, decisions },
});

/** A mix of cases that is more like a clinic than a suite that was made to test deferral. */
const DEFAULT_PREVALENCE = 0.1;

const prevalenceOptions = z.object({
  prevalence: share('share of must-defer cases to assume (default: 0.1)'),
});

/** Decision accuracy at the suite's own share of must-defer rows, or that of these rows where the suite does not say, and at a stated one. */
export const prevalenceAnalysis = defineRunAnalysis({
  id: 'decisionsAtPrevalence',
  field: 'decisionsAtPrevalence',
  needs: ['decisions'],
  schema: z.array(decisionsAtPrevalenceSchema),
  options: prevalenceOptions,
  compute: (input, { prevalence: stated = DEFAULT_PREVALENCE }: z.infer<typeof prevalenceOptions> = {}) => {
    const isStopped = isStoppedEarly(input);
    const groups = isStopped ? groupRows(input) : input.need(decisionsAnalysis);
    if (groups === null) return [];
    const { cluster } = input.card.method;
    // The rows of a record are all of one kind; those of a patient or of a call need not be.
    const independent = cluster === null || cluster === 'id';
    const at = (prevalence: number, from: 'suite' | 'stated') => {
      const found = decisionsAtPrevalence(groups, prevalence, { independent });
      return found === null ? [] : [{ prevalence, from, ...found, ...(isStopped && NO_INTERVAL) }];
    };
    return [...at(shareToDefer(input, groups), 'suite'), ...at(stated, 'stated')];
  },
});

function groupRows({ table, scoring, run: { task } }: LabelsInput): DecisionGroups | null {
  return decisionGroups(table, { ...scoring, ...(task && { labels: task.labels }) });
}

function isStoppedEarly({ run }: LabelsInput): boolean {
  return run.status === 'stopped_early';
}

function shareToDefer({ run: { suite } }: LabelsInput, { mustDefer, mustAnswer }: DecisionGroups): number {
  const { must_defer: defer, must_answer: answer } = (suite.deferral ?? {}) as Record<string, unknown>;
  return typeof defer === 'number' && typeof answer === 'number' && defer + answer > 0
    ? defer / (defer + answer)
    : mustDefer.n / (mustDefer.n + mustAnswer.n);
}

function withoutIntervals({ mustAnswer, mustDefer, byReason, byClass, ...rest }: DecisionGroups) {
  return {
    ...rest,
    mustAnswer: { ...mustAnswer, ...NO_INTERVAL },
    mustDefer: { ...mustDefer, ...NO_INTERVAL },
    byReason: byReason.map((share) => ({ ...share, ...NO_INTERVAL })),
    byClass: byClass.map((share) => ({ ...share, ...NO_INTERVAL })),
  };
}
