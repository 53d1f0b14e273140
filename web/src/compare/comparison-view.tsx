import { isHarmWarning, visibleText } from '../../../src/viewer/browser.ts';
import type { ComparePayload, RunLine } from '../api.ts';
import { Faults } from '../parts/faults.tsx';
import { needsNotice, Verification } from '../parts/verification.tsx';
import { Warnings } from '../parts/warnings.tsx';
import { scoreTitle } from '../parts/words.ts';
import { go, hrefOf } from '../router.ts';
import { runName } from '../runs/chosen-runs.tsx';
import type { ComparisonObject, EndpointObject, PairObject } from './comparison.ts';
import { CorrectedDifferences } from './corrected-differences.tsx';
import { EndpointTable } from './endpoint-table.tsx';
import { Flips } from './flips.tsx';
import { OverlaidCharts } from './overlaid-charts.tsx';
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
        <OverlaidCharts payload={payload} />
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
      {a.kind === 'labels' && <OverlaidCharts payload={payload} />}
    </>
  );
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
