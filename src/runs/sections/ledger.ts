import type { Flow } from '../../analyses/flow/flow.ts';
import { isJudged } from '../../analyses/judging/judged-result.ts';
import { DECISION_CLASSES, DECISION_WORDS } from '../../core/browser.ts';
import { casesText, whole } from '../../reports/charts/number-text.ts';
import { numbers, paragraph, section, table } from '../../reports/document/blocks.ts';
import type { Block, Section } from '../../reports/document/document.ts';
import { inWords, share, shortName } from '../../reports/words.ts';
import type { RecordFilter } from '../../store/queries/record-filter.ts';
import type { RunResult } from '../run-result.ts';

const COLORS: Record<string, string> = {
  answered_correct: 'var(--series-1)',
  answered_wrong: 'var(--series-2)',
  answered: 'var(--series-1)',
  abstained: 'var(--series-5)',
  invalid: 'var(--series-4)',
  refused: 'var(--series-3)',
  not_run: 'var(--faint)',
};
const FAILED = 'var(--muted)';
/** Reasons come from data: a file may have as many as rows. */
const MAX_FAILURES = 12;

/** How every row ended, and every item of a rubric. The classes sum to n. */
export function ledger(report: RunResult): Section {
  const rows = report.ledger;
  if (!isJudged(report))
    return section({ id: 'ledger', title: 'How every case ended', except: ['text'] }, [
      ledgerFigure(
        rows,
        'Cases that failed or never ran measure the instrument and are not scored; invalid and refused replies count as wrong.',
        report.flow === null ? undefined : decisionParts(report.flow.rows),
      ),
    ]);
  const items = report.judging.judge.ledger;
  return section({ id: 'ledger', title: 'How every case and every item ended', except: ['text'] }, [
    ledgerFigure(rows, 'Cases that failed or never ran are not scored; they widen the bounds.'),
    ledgerTable('Items', items, Object.entries(items)),
    paragraph(
      'Items without a usable verdict are not scored; they widen the bounds. A refused answer says nothing: its items count as absent.',
      { tone: 'small' },
    ),
  ]);
}

/** Rows as one bar, with a legend: by `shown`, or how they ended. */
export function ledgerFigure(
  counts: { readonly n: number },
  note: string,
  shown?: readonly LedgerPart[],
): Block {
  if (counts.n === 0) return paragraph('The run does not say how its cases ended.');
  const ended = listParts(counts);
  const parts = shown ?? ended;
  return {
    kind: 'figure',
    chart: { chart: 'ledger', data: parts },
    caption: `${casesText(counts.n)} in all. ${note}`,
    legend: parts.map((part) => ({ ...part, count: whole(part.count), share: share(part.count, counts.n) })),
    data: ledgerTable(
      'Cases',
      counts,
      ended.map(({ name, count }) => [name, count]),
    ),
  };
}

/** A part of the bar; the page lists its records. */
interface LedgerPart {
  readonly name: string;
  readonly count: number;
  readonly color: string;
  readonly filter?: RecordFilter;
}

/** Rows by how their decision turned out, the worst class first. */
function decisionParts(rows: Flow['rows']): LedgerPart[] {
  const parts = DECISION_CLASSES.map((name) => ({
    name: DECISION_WORDS[name],
    count: rows[name],
    color: name === 'failed' ? FAILED : `var(--${name.replaceAll('_', '-')})`,
    filter: { decision_class: [name] },
  }));
  const notRun = {
    name: 'not run',
    count: rows.not_run,
    color: COLORS.not_run!,
    filter: { outcome: ['not_run'] },
  };
  return [...parts, notRun].filter(({ count }) => count > 0);
}

function ledgerTable(
  caption: 'Cases' | 'Items',
  { n }: { readonly n: number },
  entries: readonly (readonly [string, number])[],
) {
  const rows = entries.filter(([name, count]) => name !== 'n' && count > 0);
  return table(
    caption,
    ['class', ...numbers(caption.toLowerCase(), 'share')],
    [...rows.map(([name, count]) => [inWords(name), String(count), share(count, n)]), ['all', String(n), '']],
    { showCaption: true },
  );
}

function listParts({ n: _, ...classes }: { readonly n: number }) {
  const entries = Object.entries<number>(classes);
  const known = entries.filter(([name]) => COLORS[name] !== undefined && name !== 'not_run');
  const failed = entries
    .filter(([name, count]) => COLORS[name] === undefined && count > 0)
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const rest = failed.slice(MAX_FAILURES);
  const nRest = rest.reduce((sum, [, count]) => sum + count, 0);
  const notRun = entries.filter(([name, count]) => name === 'not_run' && count > 0);
  return [
    ...known,
    ...failed.slice(0, MAX_FAILURES),
    ...(rest.length === 0 ? [] : [[`failed for ${rest.length} other reasons`, nRest] as [string, number]]),
    ...notRun,
  ].map(([name, count]) => ({ name: shortName(inWords(name)), count, color: COLORS[name] ?? FAILED }));
}
