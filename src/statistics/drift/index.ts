export * from './comparable-runs.ts';
export * from './control-chart.ts';
export { type DriftTest, decided, driftAlpha, driftTest, fewestFlips } from './drift-test.ts';
export { type DriftDecision, type FlipTable, flipTable } from './flip-table.ts';
