import { whole } from '../../../src/viewer/browser.ts';
import { levelText, number, range, words } from '../parts/words.ts';
import type { TraitScore, TraitSummary } from './payload.ts';

/** Every trait over all questions; metric traits have a line per metric, over all items and as the mean of questions. */
export function TraitTable({ traits, level }: { traits: readonly TraitSummary[]; level: number }) {
  if (traits.length === 0) return <p className="empty">No trait was judged in this run.</p>;
  const interval = `${levelText(level)} interval`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="scroll" tabIndex={0} aria-label="Traits">
      <table className="traits">
        <caption className="unseen">Traits</caption>
        <thead>
          <tr>
            <th scope="col">trait</th>
            <th scope="col">measure</th>
            <th scope="col" className="number">{`over all items (${interval})`}</th>
            <th scope="col" className="number">
              n
            </th>
            <th scope="col" className="number">{`mean of questions (${interval})`}</th>
            <th scope="col" className="number">
              n
            </th>
          </tr>
        </thead>
        {traits.map((trait) => (
          <tbody key={`${trait.source} ${trait.name}`}>
            {rowsOf(trait).map(({ measure, all, mean }, i) => (
              <tr key={measure}>
                <th scope="row">
                  {i === 0 ? words(trait.name) : <span className="unseen">{words(trait.name)}</span>}
                </th>
                <td>{measure}</td>
                <ScoreCells score={all} />
                <ScoreCells score={mean} />
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

interface TraitRow {
  readonly measure: string;
  readonly all: TraitScore | null;
  readonly mean: TraitScore | null;
}

function rowsOf(trait: TraitSummary): TraitRow[] {
  if (!('metrics' in trait)) {
    const kind = trait.kind === 'boolean' ? 'share true' : words(trait.kind ?? 'no value');
    const classes = (trait.classes ?? []).map(({ name, count }) => `${words(name)} ${whole(count)}`);
    const measure = [`${kind} (${trait.source})`, ...classes].join(', ');
    return [{ measure, all: null, mean: trait.score }];
  }
  const metrics = Object.entries(trait.metrics).map(([name, { pooled, mean_of_questions: mean }]) => ({
    measure: words(name),
    all: pooled,
    mean,
  }));
  const { contradiction_rate: denied } = trait;
  return denied === null ? metrics : [...metrics, { measure: 'contradiction rate', all: denied, mean: null }];
}

/** A score in two cells: value with interval, and bounds where open items could change it; n. */
export function ScoreCells({ score }: { score: TraitScore | null }) {
  const bounds = score?.bounds ? ` [${range(score.bounds)} with open items]` : '';
  return (
    <>
      <td className="number">
        {score === null ? (
          '–'
        ) : score.value === null ? (
          <span className="quiet">
            {words(score.reason ?? 'no value')}
            {bounds}
          </span>
        ) : (
          <>
            <strong>{number(score.value)}</strong>{' '}
            <span className="quiet">
              {score.interval === null ? '(no interval)' : `(${range(score.interval)})`}
              {bounds}
            </span>
          </>
        )}
      </td>
      <td className="number quiet">{score === null ? '' : whole(score.n)}</td>
    </>
  );
}
