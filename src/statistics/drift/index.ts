export * from './comparable-runs.ts';
export * from './control-chart.ts';
export * from './drift-test.ts';
export * from './flip-table.ts';
