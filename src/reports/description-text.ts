import pc from 'picocolors';
import { stratumOf } from '../suites/domains/index.ts';
import type { Counted, SuiteDescription, Task } from '../suites/index.ts';
import { plain } from './plain-text.ts';

/** A suite for a reader who wants to check it: counts with shares, where everything comes from, and what to beware of. */
export function descriptionText(description: SuiteDescription, task: Task): string {
  const { nRecords, deferral, primaryEndpoint: endpoint } = description;
  const stratum = stratumOf(task).label;
  const lines = [
    pc.bold(
      `${plain(description.name)}: ${nRecords} records to evaluate, ${description.nTraining} to learn from`,
    ),
    `${plain(description.domain)}; ${description.sensitivity} data; labels ${task.labels.map((label) => plain(String(label))).join(', ')}${task.positiveLabel === undefined ? '' : ` (positive: ${plain(String(task.positiveLabel))})`}`,
    `suite hash ${description.hash}`,
    '',
    ...table('Labels', description.labels, nRecords),
    ...table(
      `${stratum[0]!.toUpperCase()}${stratum.slice(1)}`,
      description.strata,
      nRecords,
      description.strata.some(({ name }) => name !== `${stratum} none`),
    ),
    ...table('Origin', description.origins, nRecords),
    ...table(
      'Deferral',
      [
        { name: 'must answer', n: deferral.mustAnswer },
        { name: 'must defer', n: deferral.mustDefer },
        { name: 'unlabelled (grey zone)', n: deferral.unlabelled },
      ],
      nRecords,
      deferral.mustAnswer + deferral.mustDefer > 0,
    ),
    ...table('Why defer (a row may have several reasons)', deferral.reasons, nRecords),
    ...table('Abstaining is unsafe (must act)', description.mustAct, nRecords),
    ...table('Not measured', description.missing, nRecords),
    pc.bold('Arms'),
    ...Object.entries(task.arms).map(
      ([arm, { instructions }]) =>
        `  ${plain(arm)}${arm === task.defaultArm ? ' (default)' : ''}: ${plain(instructions)}`,
    ),
    '',
    ...(endpoint === null
      ? []
      : [
          `${pc.bold('Primary endpoint')}: ${plain(endpoint.metric)}, arm ${plain(endpoint.arm)} (${plain(endpoint.why)})`,
          '',
        ]),
    ...pairs('Settings', description.settings),
    ...pairs('Provenance', description.provenance),
    ...description.warnings.map((warning) => `${pc.yellow('!')} ${plain(warning)}`),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function table(title: string, rows: readonly Counted[], total: number, shown = rows.length > 0): string[] {
  if (!shown) return [];
  const width = Math.max(...rows.map(({ name }) => plain(name).length));
  const numbers = Math.max(...rows.map(({ n }) => String(n).length));
  return [
    pc.bold(title),
    ...rows.map(
      ({ name, n }) => `  ${plain(name).padEnd(width)}  ${String(n).padStart(numbers)}  ${share(n, total)}`,
    ),
    '',
  ];
}

function pairs(title: string, values: Readonly<Record<string, unknown>>): string[] {
  const entries = Object.entries(values);
  if (entries.length === 0) return [];
  return [
    pc.bold(title),
    ...entries.map(([key, value]) => `  ${plain(key.replaceAll('_', ' '))}: ${plain(String(value))}`),
    '',
  ];
}

function share(n: number, total: number): string {
  return total === 0 ? '' : `${((n / total) * 100).toFixed(1)} %`.padStart(7);
}
