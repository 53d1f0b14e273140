import { z } from 'zod';
import { defineRunAnalysis } from '../analysis.ts';
import { command } from './command.ts';
import { confidenceStepSchema, confidenceSteps } from './confidence-steps.ts';
import { thresholdCoverage } from './coverage-gate.ts';
import { runThreshold, runThresholdSchema, type ThresholdChoice, thresholdChoice } from './run-threshold.ts';
import { threshold } from './section.ts';

/**
 * The lowest confidence at which to accept answers, chosen on one part of the patients and checked on the other. None after an early stop: the exact tests need a number of rows that was
 * fixed beforehand.
 */
export const thresholdAnalysis = defineRunAnalysis({
  id: 'threshold',
  schema: runThresholdSchema,
  isInJson: false,
  options: thresholdChoice,
  compute: ({ table, card, run }, choice?: ThresholdChoice) =>
    run.status === 'stopped_early' ? null : runThreshold(table, choice, card),
  sections: { confidence: threshold },
  command,
  gates: { threshold_coverage: thresholdCoverage },
});

/** What follows from accepting answers of at least a confidence, highest first: for the slider of the page. */
export const confidenceStepsAnalysis = defineRunAnalysis({
  id: 'confidenceSteps',
  schema: z.array(confidenceStepSchema),
  isInJson: false,
  compute: ({ table, card, run }) => [...confidenceSteps(table, { ...run, method: card.method })],
});
