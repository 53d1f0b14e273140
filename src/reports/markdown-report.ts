import type { MetricScore, NullBand } from '../metrics/index.ts';
import type { RunReport } from '../results/index.ts';
import { comparisonTable, markdownTable } from './comparison-table.ts';
import { markdownText } from './markdown-text.ts';
import { methodText } from './method-text.ts';
import type { ReportOptions } from './report-options.ts';

/** A run for a paper or a pull request: the line for the table of models first, then everything that must stand beside it. */
export function markdownReport(report: RunReport, { verdicts = [] }: ReportOptions = {}): string {
  const { card, warnings, figures } = report;
  const lines = [
    `# ${markdownText(report.suiteName)}: ${markdownText(report.backendName)}`,
    '',
    comparisonTable([report]),
    `${markdownText(methodText(report))} n: rows that could be scored, of ${card.n}; coverage: share of them that was answered; ECE: expected calibration error; AUGRC: area under the generalised risk-coverage curve (lower is better for both).`,
    '',
    ...section(
      'Before quoting a number',
      warnings.map(({ message }) => `- ${markdownText(message)}`),
    ),
    ...section(
      'Conditions',
      verdicts.map(
        ({ text, status, message }) =>
          `- **${status}** ${markdownText(text)}${message === '' ? '' : `: ${markdownText(message)}`}`,
      ),
    ),
    ...section('All metrics', [metricsTable(card.scores)]),
    ...card.subgroups.flatMap(({ metric, by, groups }) =>
      section(`${markdownText(metric)} by ${markdownText(by)}`, [
        markdownTable(
          ['group', 'value', 'interval', 'n'],
          groups.map((group) => [
            markdownText(group.group),
            group.value === null ? `- (${words(group.reason)})` : group.value.toFixed(3),
            range(group.interval),
            String(group.n),
          ]),
        ),
      ]),
    ),
    ...section('What became of the rows', [
      markdownTable(
        ['class', 'rows'],
        Object.entries(card.ledger)
          .filter(([name, n]) => n > 0 || name === 'n')
          .map(([name, n]) => [markdownText(name === 'n' ? 'all' : name), String(n)]),
      ),
    ]),
    ...(figures?.deferral ? section('Deferral', [deferralTable(figures.deferral)]) : []),
    ...section('How it was made', provenanceLines(report)),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines.map((line) => line.trimEnd()), ''];
}

function metricsTable(scores: readonly MetricScore[]): string {
  const bounded = scores.some(({ bounds }) => bounds !== null);
  return markdownTable(
    ['metric', 'value', 'interval', ...(bounded ? ['bounds'] : []), 'n', 'note'],
    scores.map((score) => [
      markdownText(score.label),
      score.value === null ? '-' : score.value.toFixed(3),
      range(score.interval),
      ...(bounded ? [range(score.bounds)] : []),
      String(score.nEvaluated),
      markdownText(note(score)),
    ]),
    ['metric', 'note'],
  );
}

function note({ value, reason, details }: MetricScore): string {
  if (value === null) return words(reason);
  const band = details.null_band as NullBand | null | undefined;
  if (band) return `by chance ${band.ece_null_mean.toFixed(3)}, up to ${band.ece_null_p95.toFixed(3)}`;
  const trivial = trivialPolicies(details);
  return trivial ? `never deferring ${trivial.never}, always ${trivial.always}` : '';
}

/** What the two constant policies would have reached on the same rows. */
function trivialPolicies({ trivial_policies: found }: MetricScore['details']) {
  const { never_defer: never, always_defer: always } = (found ?? {}) as Partial<
    Record<'never_defer' | 'always_defer', number | null>
  >;
  return never == null || always == null ? null : { never: never.toFixed(3), always: always.toFixed(3) };
}

function deferralTable(counts: NonNullable<NonNullable<RunReport['figures']>['deferral']>): string {
  return markdownTable(
    ['', 'deferred', 'answered'],
    [
      ['should defer', String(counts.defer_when_needed), String(counts.answer_when_should_defer)],
      ['should answer', String(counts.abstain_when_should_answer), String(counts.answer_when_safe)],
    ],
  );
}

function provenanceLines(report: RunReport): string[] {
  const { extras, task, primaryEndpoint, imported } = report;
  const facts: [string, unknown][] = [
    ['suite', report.suiteName],
    ['suite hash', report.suiteHash],
    ['task', task && `${task.id}; labels ${task.labels.join(', ')}`],
    ['arm', report.arm],
    ['primary endpoint', primaryEndpoint && `${primaryEndpoint.metric} (${primaryEndpoint.why})`],
    ['model', report.backendName],
    ['model as the provider names it', extras.model_ids.join(', ') || null],
    ['parameters', Object.keys(report.parameters).length === 0 ? null : JSON.stringify(report.parameters)],
    ['batch size', extras.batch_size],
    ['repeats', report.repeats],
    ['status', report.status],
    ['made', report.createdAt],
    ['krisis', report.krisisVersion],
    ['imported from', imported && `${imported.source} (${imported.format}, SHA-256 ${imported.sha256})`],
  ];
  return facts.flatMap(([name, value]) =>
    value === null ? [] : [`- ${name}: ${markdownText(String(value))}`],
  );
}

function range(interval: { readonly lower: number; readonly upper: number } | null): string {
  return interval === null ? '-' : `${interval.lower.toFixed(3)} to ${interval.upper.toFixed(3)}`;
}

function words(reason: string | null): string {
  return (reason ?? 'unknown').replaceAll('_', ' ');
}
