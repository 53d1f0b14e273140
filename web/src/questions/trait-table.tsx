// biome-ignore-all lint/a11y/noRedundantRoles: narrow screens show each line as a card, which makes browsers drop the table roles
import { whole } from '../../../src/viewer/browser.ts';
import { levelText, number, range, words } from '../parts/words.ts';
import type { ReadQuestions, TraitScore, TraitSummary } from './payload.ts';

type Corrected = NonNullable<NonNullable<ReadQuestions['review']>['items']>['corrected'];

interface TraitTableProps {
  readonly traits: readonly TraitSummary[];
  readonly level: number;
  /** Scores corrected for the judge's errors, as far as people's labels allow. */
  readonly corrected: Corrected;
  /** Whether people disagreed with the judge: its own numbers then do not lead. */
  readonly isRefuted: boolean;
}

/** Every trait over all questions; metric traits have a line per metric, over all items and as the mean of questions. A corrected score is beside the raw one. */
export function TraitTable({ traits, level, corrected, isRefuted }: TraitTableProps) {
  if (traits.length === 0) return <p className="empty">No trait was judged in this run.</p>;
  const interval = `${levelText(level)} interval`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="scroll" tabIndex={0} aria-label="Traits">
      <table className="traits by-trait" role="table">
        <caption className="unseen">Traits</caption>
        <thead role="rowgroup">
          <tr role="row">
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
          <tbody key={`${trait.source} ${trait.name}`} role="rowgroup">
            {rowsOf(trait, corrected).map(({ measure, all, mean, ...found }, i) => (
              <tr key={measure} role="row">
                <th scope="row">
                  {i === 0 ? words(trait.name) : <span className="unseen">{words(trait.name)}</span>}
                </th>
                <td role="cell" className="measure">
                  {measure}
                </td>
                <ScoreCells
                  score={all}
                  corrected={found.allCorrected}
                  title="over all items"
                  isRefuted={isRefuted}
                />
                <ScoreCells
                  score={mean}
                  corrected={found.meanCorrected}
                  title="mean of questions"
                  isRefuted={isRefuted}
                />
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
  readonly allCorrected?: Corrected[number] | undefined;
  readonly meanCorrected?: Corrected[number] | undefined;
}

function rowsOf(trait: TraitSummary, corrected: Corrected): TraitRow[] {
  if (!('metrics' in trait)) {
    const kind = trait.kind === 'boolean' ? 'share true' : words(trait.kind ?? 'no value');
    const classes = (trait.classes ?? []).map(({ name, count }) => `${words(name)} ${whole(count)}`);
    const measure = [`${kind} (${trait.source})`, ...classes].join(', ');
    return [{ measure, all: null, mean: trait.score }];
  }
  const isOf = (one: Corrected[number], metric: string) => one.trait === trait.name && one.metric === metric;
  const metrics = Object.entries(trait.metrics).map(([name, { pooled, mean_of_questions: mean }]) => ({
    measure: words(name),
    all: pooled,
    mean,
    allCorrected: corrected.find((one) => isOf(one, name) && !one.name.endsWith('.mean')),
    meanCorrected: corrected.find((one) => isOf(one, name) && one.name.endsWith('.mean')),
  }));
  const { contradiction_rate: denied } = trait;
  return denied === null ? metrics : [...metrics, { measure: 'contradiction rate', all: denied, mean: null }];
}

interface ScoreCellsProps {
  readonly score: TraitScore | null;
  /** The same score corrected for the judge's errors. Default: people have not labelled it. */
  readonly corrected?: Corrected[number] | undefined;
  /** What the score is, where a narrow screen has no columns. Default: nothing is said. */
  readonly title?: string | undefined;
  /** Whether people disagreed with the judge behind the score. Default: false. */
  readonly isRefuted?: boolean | undefined;
}

/** A score in two cells: value with interval, and bounds where open items could change it; n. */
export function ScoreCells({ score, corrected, title, isRefuted = false }: ScoreCellsProps) {
  const bounds = score?.bounds ? ` [${range(score.bounds)} with open items]` : '';
  const interval = score?.interval == null ? '(no interval)' : `(${range(score.interval)})`;
  return (
    <>
      <td role="cell" className="number" data-title={title}>
        {score === null ? (
          '–'
        ) : score.value === null ? (
          <span className="quiet">
            {words(score.reason ?? 'no value')}
            {bounds}
          </span>
        ) : isRefuted ? (
          <>
            {corrected?.corrected ? (
              <>
                <strong>{number(corrected.corrected.value)}</strong>
                {rangeText(corrected.corrected)} corrected for the judge’s errors
              </>
            ) : (
              'no score'
            )}
            <span className="line quiet">
              as judged: {number(score.value)} {interval}
              {bounds}
            </span>
          </>
        ) : (
          <>
            <strong>{number(score.value)}</strong>{' '}
            <span className="quiet">
              {interval}
              {bounds}
            </span>
            {corrected?.corrected && (
              <span className="line">
                corrected for the judge’s errors: <strong>{number(corrected.corrected.value)}</strong>
                {rangeText(corrected.corrected)}
              </span>
            )}
          </>
        )}
      </td>
      <td role="cell" className="number quiet of-n">
        {score === null ? '' : whole(score.n)}
      </td>
    </>
  );
}

function rangeText({
  lower,
  upper,
}: {
  readonly lower: number | null;
  readonly upper: number | null;
}): string {
  return lower === null || upper === null ? '' : ` (${range({ lower, upper })})`;
}
