import { counted } from '../../core/wording.ts';
import type { Metric } from '../../metrics/metric.ts';
import { endpointProblem } from '../../runs/primary-endpoint.ts';
import type { SuiteDescription } from '../../suites/suite.ts';
import { loadTableSuite } from '../../suites/table/define-table-suite.ts';
import { shownColumnsText } from '../../suites/table/roles.ts';
import type { Task } from '../../suites/task.ts';
import { noteSensitivity } from '../protected-data.ts';
import { type CheckedFile, countsText, formatPercent, problemsIn } from './checked-file.ts';

/** Checks a table suite: its definition, every row of its table, and the metric that it names. */
export async function checkTableSuite(
  path: string,
  content: Readonly<Record<string, unknown>>,
  metrics: readonly Metric[],
): Promise<CheckedFile> {
  const kind = 'table_suite';
  const endpoint = namedEndpoint(content.primary_endpoint);
  // Also where the definition cannot be used: then with the metrics of any task.
  const anyTask = { ordered: false, labels: ['a', 'b'] };
  try {
    const suite = await loadTableSuite(path);
    noteSensitivity(suite);
    const description = await suite.describe();
    const wrong = endpoint === null ? null : endpointProblem(endpoint, suite.task, { ownMetrics: metrics });
    return {
      kind,
      problems: wrong === null ? [] : [wrong],
      text: [
        summary(description, suite.task),
        shownColumnsText(description)!,
        ...description.warnings.map((warning) => `! ${warning}`),
      ],
      json: {
        rows: description.nRecords + description.nTraining,
        n_records: description.nRecords,
        n_training_records: description.nTraining,
        columns: description.settings.columns,
        labels: Object.fromEntries(description.labels.map(({ name, n }) => [name, n])),
        emergencies: knownEmergencies(description.mustAct)?.n ?? null,
        not_measured: Object.fromEntries(description.missing.map(({ name, n }) => [name, n])),
        warnings: description.warnings,
      },
    };
  } catch (error) {
    const { problems, n } = problemsIn(error);
    const wrong = endpoint === null ? null : endpointProblem(endpoint, anyTask, { ownMetrics: metrics });
    return {
      kind,
      problems: [...(wrong === null ? [] : [wrong]), ...problems],
      nProblems: n + (wrong === null ? 0 : 1),
      text: ['A table suite.'],
      json: {},
    };
  }
}

function namedEndpoint(found: unknown): string | null {
  const metric = typeof found === 'object' && found !== null ? (found as { metric?: unknown }).metric : found;
  return typeof metric === 'string' ? metric : null;
}

function summary(description: SuiteDescription, task: Task): string {
  const { name, nRecords, nTraining, labels, deferral, mustAct, missing, settings } = description;
  const nColumns = (settings.columns as readonly string[]).length;
  const nMissing = missing.reduce((sum, { n }) => sum + n, 0);
  const rest = nTraining === 0 ? '' : ` and ${nTraining} to learn from`;
  const isLabelled = deferral.mustDefer + deferral.mustAnswer > 0;
  const read = [
    settings.file_encoding,
    settings.file_delimiter,
    settings.file_decimal && `decimal ${settings.file_decimal}`,
  ];
  return [
    `A table suite, ${name}: ${counted(nRecords, 'case')}${rest}, ${counted(task.labels.length, 'label')}: ${countsText(labels)}.`,
    isLabelled
      ? `Deferral: ${deferral.mustDefer} must defer, ${deferral.mustAnswer} must answer, ${deferral.unlabelled} unlabelled.`
      : 'No deferral labels.',
    emergencyText(mustAct, task),
    `Not measured: ${formatPercent(nMissing, nRecords * nColumns)} of the cells shown.`,
    `Read as ${read.filter(Boolean).join(', ')}.`,
  ].join(' ');
}

/** Emergencies among the cases of which it is known; null where it is known of none. */
function knownEmergencies({ emergencies: n, none }: SuiteDescription['mustAct']) {
  const known = n + none;
  return known === 0 ? null : { n, known };
}

/** How many emergencies there are, and how a model says that it sees one. */
function emergencyText(mustAct: SuiteDescription['mustAct'], { actLabels }: Task): string {
  const found = knownEmergencies(mustAct);
  if (found === null) return 'No emergencies marked.';
  const how = actLabels
    ? `the answer ${actLabels.join(' or ')} means to act`
    : 'the model is asked whether a case is urgent';
  const open = mustAct.open === 0 ? '' : `, ${mustAct.open} unknown`;
  return `Emergencies: ${found.n} of ${found.known}${open}; ${how}.`;
}
