export { drawChart } from './chart.ts';
export { whole } from './number-text.ts';
