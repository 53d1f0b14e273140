export { readCaseFile } from './case-file.ts';
export { runCases } from './run-cases.ts';
