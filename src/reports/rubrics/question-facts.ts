import { basename } from 'node:path';
import type { QuestionReport } from '../../results/index.ts';

/** How a run was made and out of what, by name; what is not known is left out. */
export function questionFacts(report: QuestionReport): [string, string][] {
  const { extras, judge } = report;
  const facts: [string, unknown][] = [
    ['suite', report.suiteName],
    ['suite hash', report.suiteHash],
    ['data', report.sensitivity],
    ['model', report.backendName],
    ['models as their providers name them', extras.model_ids.join(', ') || null],
    ['parameters', Object.keys(report.parameters).length === 0 ? null : JSON.stringify(report.parameters)],
    ['where questions went', report.egress && JSON.stringify(report.egress)],
    ['where answers went to be judged', report.judgeEgress && JSON.stringify(report.judgeEgress)],
    ['answers recorded elsewhere', report.recorded && JSON.stringify(report.recorded)],
    ...judge.judges.map(({ name, passes, promptHashes }): [string, unknown] => [
      judge.names.includes(name) ? 'judge' : 'judge, not scored here',
      `${name}, passes ${passes}${promptHashes.length === 0 ? '' : `, prompt ${promptHashes.join(', ')}`}`,
    ]),
    ['repeats', report.repeats],
    ['seed of the order of items', report.seed],
    ['status', report.status],
    ['made', report.createdAt],
    ['krisis', report.krisisVersion],
    ['run file', basename(report.path)],
  ];
  return facts.flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
}
