import { isHarmWarning, visibleText, whole } from '../../../src/viewer/browser.ts';
import type { ComparePayload, RunLine } from '../api.ts';
import { Faults } from '../parts/faults.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { ReportSection } from '../parts/report-blocks.tsx';
import { needsNotice, Verification } from '../parts/verification.tsx';
import { Warnings } from '../parts/warnings.tsx';
import { levelText, number, recordsOf, scoreTitle, share, signed, words } from '../parts/words.ts';
import { go, hrefOf } from '../router.ts';
import { runName } from '../runs/chosen-runs.tsx';
import type { ComparisonObject, EndpointObject, PairObject } from './comparison.ts';
import { EndpointTable } from './endpoint-table.tsx';
import { letterOf } from './run-choices.tsx';

/** A run that is compared with the baseline. */
interface Other {
  readonly letter: string;
  readonly run: RunLine;
  readonly pair: PairObject;
}

/** Paired statistics: all runs against the baseline by the primary endpoint, then one of them by every endpoint. */
export function Comparison({ payload, query }: { payload: ComparePayload; query: URLSearchParams }) {
  const { runs, comparison, reason } = payload;
  const found = comparison as ComparisonObject | null;
  const others = found === null ? [] : othersOf(runs, found);
  const shown = others.find(({ run }) => run.id === query.get('with')) ?? others[0];
  const [a] = runs;
  if (found === null || shown === undefined || a === undefined)
    return (
      <>
        <UnprovenFiles payload={payload} />
        <Faults title={FAULTS} faults={faultsIn(found?.warnings ?? [])} />
        <Warnings warnings={(found?.warnings ?? []).filter(isNotShown)} />
        <p className="empty">
          These runs cannot be compared record by record:{' '}
          {reason ?? found?.not_paired[0]?.message ?? 'no reason given'}
        </p>
        <Sections payload={payload} />
      </>
    );
  const primary = found.primary_endpoint?.metric ?? Object.keys(shown.pair.endpoints)[0];
  const show = (id: string) =>
    go(hrefOf('compare', { runs: runs.map((run) => run.id), with: id }), { replace: true });
  return (
    <>
      <UnprovenFiles payload={payload} />
      <Faults title={FAULTS} faults={faultsIn(found.warnings)} />
      <Warnings warnings={found.warnings.filter(isNotShown)} />
      {others.length > 1 && (
        <>
          <EndpointTable
            title="All runs against A"
            about={`By ${shown.pair.endpoints[primary ?? '']?.label ?? 'the first score'}. p values are adjusted for the number of runs.`}
            second="run"
            level={found.method.level}
            lines={others.flatMap(({ letter, run, pair }) => {
              const endpoint = pair.endpoints[primary ?? ''];
              return endpoint === undefined
                ? []
                : [{ key: letter, name: `${letter}: ${runName(run)}`, endpoint }];
            })}
          />
          <p className="bar">
            <label>
              <span className="quiet">Every endpoint and every record of A and</span>{' '}
              <select value={shown.run.id} onChange={({ target }) => show(target.value)}>
                {others.map(({ letter, run }) => (
                  <option key={run.id} value={run.id}>
                    {visibleText(`${letter}: ${runName(run)}`)}
                  </option>
                ))}
              </select>
            </label>
          </p>
        </>
      )}
      <EndpointTable
        title="Paired differences"
        about={pairedText(shown.pair)}
        second={shown.letter}
        level={found.method.level}
        lines={linesOf(shown.pair.endpoints, found.primary_endpoint?.metric)}
      />
      <CorrectedDifferences
        found={payload.corrected?.[found.comparisons.indexOf(shown.pair)] ?? []}
        second={shown.letter}
        level={found.method.level}
      />
      {a.kind === 'labels' && (
        <Flips a={a} b={shown.run} letter={shown.letter} pair={shown.pair} nRuns={runs.length} />
      )}
      <Sections payload={payload} />
    </>
  );
}

function Sections({ payload: { sections } }: { payload: ComparePayload }) {
  return sections.map((section) => <ReportSection key={section.id} section={section} />);
}

const FAULTS = 'Faults of these models';

/** The sentences name their model: a comparison shows differences, and two models may share a fault. */
function faultsIn(warnings: ComparisonObject['warnings']): string[] {
  return warnings.filter(isHarmWarning).map(({ message }) => message);
}

/** `UnprovenFiles` and `Faults` show the others. */
function isNotShown(warning: { readonly code: string }): boolean {
  return warning.code !== 'file_not_verified' && !isHarmWarning(warning);
}

/** Names the runs whose files are not verified. */
function UnprovenFiles({ payload: { runs, verification } }: { payload: ComparePayload }) {
  return verification.map(
    (mark, place) =>
      needsNotice(mark, runs[place]!) && (
        <Verification
          key={runs[place]!.id}
          mark={mark}
          name={`${letterOf(place)}, ${runName(runs[place]!)},`}
        />
      ),
  );
}

/** Runs that could not be paired are left out; the models of a comparison are in the order of its runs. */
function othersOf(runs: readonly RunLine[], { models, comparisons }: ComparisonObject): Other[] {
  return runs.flatMap((run, place) => {
    const pair = comparisons.find(({ model }) => model === models[place]?.name);
    return place === 0 || pair === undefined ? [] : [{ letter: letterOf(place), run, pair }];
  });
}

/** In the order of the comparison, which puts the scores that lead first. */
function linesOf(endpoints: Readonly<Record<string, EndpointObject>>, primary: string | undefined) {
  return Object.entries(endpoints).map(([key, endpoint]) => ({
    key,
    name: scoreTitle(endpoint.label),
    endpoint,
    isPrimary: key === primary,
  }));
}

function pairedText({ n_paired: n, left_out: leftOut }: PairObject): string {
  const left = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
  const rest =
    left > 0
      ? `; ${left.toLocaleString('en')} are left out, since one of the runs has no score for them`
      : '';
  return `${n.toLocaleString('en')} records are paired${rest}.`;
}

interface CorrectedProps {
  readonly found: NonNullable<ComparePayload['corrected']>[number];
  /** What the second run is called: its letter. */
  readonly second: string;
  readonly level: number;
}

/** Differences of scores that people's labels correct; nothing where neither run was reviewed. */
function CorrectedDifferences({ found, second, level }: CorrectedProps) {
  if (found.length === 0) return null;
  const title = 'Corrected for the judge’s errors';
  return (
    <section aria-labelledby="corrected-title">
      <h2 id="corrected-title">{title}</h2>
      <p>
        By people’s labels on items of both runs. The table above has the scores as judged; a corrected score
        is never compared with one as judged.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="scroll" tabIndex={0} aria-label={title}>
        <table className="traits">
          <caption className="unseen">{title}</caption>
          <thead>
            <tr>
              <th scope="col">score</th>
              <th scope="col" className="number">
                A
              </th>
              <th scope="col" className="number">
                {second}
              </th>
              <th scope="col" className="number">{`${second} − A (${levelText(level)} interval)`}</th>
              <th scope="col" className="number">
                as judged
              </th>
              <th scope="col">note</th>
            </tr>
          </thead>
          <tbody>
            {found.map(({ metric, label, difference, lower, upper, reason, ...values }) => (
              <tr key={metric}>
                <th scope="row">
                  <OutsideText text={label} />
                </th>
                <td className="number">{number(values.baseline_value)}</td>
                <td className="number">{number(values.model_value)}</td>
                <td className="number">
                  <strong>{signed(difference)}</strong>
                  {lower !== null && upper !== null && ` (${signed(lower)} to ${signed(upper)})`}
                </td>
                <td className="number">{signed(values.raw_difference)}</td>
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

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
function Flips({ a, b, letter, pair, nRuns }: FlipsProps) {
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
                  <a href={hrefOf('runs/:id/records', { id: a.id, flips: `${b.id}:${inA}` })}>
                    As A answered them
                  </a>{' '}
                  <span className="quiet">
                    <OutsideText text={a.model} />
                  </span>
                </li>
                <li>
                  <a href={hrefOf('runs/:id/records', { id: b.id, flips: `${a.id}:${inB}` })}>
                    As {letter} answered them
                  </a>{' '}
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
