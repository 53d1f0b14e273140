import { whole } from '../../../src/viewer/browser.ts';
import type { RunLine } from '../api.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { recordsOf, share, words } from '../parts/words.ts';
import { recordsHref } from '../run/chart-links.ts';
import type { PairObject } from './comparison.ts';

interface FlipsProps {
  readonly a: RunLine;
  readonly b: RunLine;
  /** What the second run is called. */
  readonly letter: string;
  readonly pair: PairObject;
  /** How many runs are compared in all. */
  readonly nRuns: number;
}

/** The records that only one of the two runs has right, as lists in either run. */
export function Flips({ a, b, letter, pair, nRuns }: FlipsProps) {
  const { flips, n_paired: nPaired } = pair;
  const nCompared = flips.n_compared;
  // With more runs, "only A" would read as "no other run".
  const titleOf = (right: string, other: string) =>
    nRuns === 2 ? `Only ${right} is right` : `${right} is right, ${other} is not`;
  const ways = [
    { title: titleOf('A', letter), n: flips.n_only_baseline_right, inA: 'only_a', inB: 'only_b' },
    { title: titleOf(letter, 'A'), n: flips.n_only_model_right, inA: 'only_b', inB: 'only_a' },
  ];
  return (
    <section aria-labelledby="flips-title">
      <h2 id="flips-title">Flips{nRuns > 2 && ` between A and ${letter}`}</h2>
      <p>
        {whole(nCompared)} of the {whole(nPaired)} paired records have a verdict by{' '}
        {words(flips.by ?? 'accuracy')} in both runs.
        {nRuns > 2 && ` Only these two runs count here; the list of records below is over all ${nRuns} runs.`}
      </p>
      {flips.by === 'decision_accuracy' && (
        <p className="quiet">A record that was deferred where it should be is right.</p>
      )}
      <ul className="cards two">
        {ways.map(({ title, n, inA, inB }) => (
          <li key={title} className="card">
            <h3>{title}</h3>
            <p className="value">{whole(n)}</p>
            <p>
              {nCompared === 0 ? '' : `${share(n, nCompared)} of `}
              {whole(nCompared)} records with a verdict
            </p>
            {n === 0 ? (
              <p>no such record</p>
            ) : (
              <ul className="ways" aria-label={`${title}: ${recordsOf(n)}`}>
                <li>
                  <a href={recordsHref(a.id, { flips: `${b.id}:${inA}` })}>As A answered them</a>{' '}
                  <span className="quiet">
                    <OutsideText text={a.model} />
                  </span>
                </li>
                <li>
                  <a href={recordsHref(b.id, { flips: `${a.id}:${inB}` })}>As {letter} answered them</a>{' '}
                  <span className="quiet">
                    <OutsideText text={b.model} />
                  </span>
                </li>
              </ul>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
