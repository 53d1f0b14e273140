import { type Block, decimals, percent, whole } from '../../../src/viewer/browser.ts';
import type { RunPayload } from '../api.ts';
import { DASH } from '../parts/words.ts';
import { go, hrefOf } from '../router.ts';

interface ThresholdProps {
  readonly payload: RunPayload;
  readonly query: URLSearchParams;
}

/** What follows from accepting only answers with at least this confidence. */
export function Threshold({ payload, query }: ThresholdProps) {
  const { run, confidence_steps: steps, n_scored: scored } = payload;
  const at = stepAt(steps, query.get('threshold'));
  const choose = (place: number) =>
    go(hrefOf('runs/:id', { id: run.id, threshold: steps[place]!.threshold }), { replace: true });
  const step = steps[at];
  if (step === undefined) return null;
  const { threshold, n, n_judged: judged, errors, bound, deferred } = step;
  const { missed_emergencies: missed, deferred_without_need: needless } = step;
  const coverage = n / judged;
  return (
    <section className="panel threshold" aria-labelledby="threshold-title">
      <h3 id="threshold-title">Accept answers from a confidence of {decimals(threshold, 3)}</h3>
      <label className="slider">
        <span className="quiet">most confident only</span>
        <input
          type="range"
          min={0}
          max={steps.length - 1}
          value={at}
          onChange={(event) => choose(Number(event.target.value))}
          aria-label="Confidence threshold"
          aria-valuetext={`confidence ${decimals(threshold, 3)}, coverage ${percent(coverage)}, selective risk ${percent(errors / n)}${missed.n === 0 ? '' : `, ${shareText(missed)} emergencies missed`}`}
        />
        <span className="quiet">all answers</span>
      </label>
      <dl className="facts" aria-live="polite">
        {missed.n > 0 && (
          <Fact title="Missed emergencies" value={shareText(missed)}>
            when only these answers are accepted
          </Fact>
        )}
        {needless.n > 0 && (
          <Fact title="Deferred without need" value={shareText(needless)}>
            cases that call for an answer
          </Fact>
        )}
        <Fact title="Coverage" value={percent(coverage)}>
          <a href={hrefOf('runs/:id/records', { id: run.id, usable: true, confidence_from: threshold })}>
            {whole(n)} accepted
          </a>{' '}
          of {whole(judged)} rows that can be judged
        </Fact>
        <Fact title="Selective risk" value={percent(errors / n)}>
          {whole(errors)} of {whole(n)} wrong, or should have been deferred
        </Fact>
        <Fact title="Its upper bound" value={bound === null ? DASH : percent(bound)}>
          {run.status === 'stopped_early'
            ? 'fixed-size bound after an early stop: not valid'
            : 'exact, one-sided, 95 %, one record per cluster, for a threshold fixed in advance'}
        </Fact>
        <Fact title="Deferrals" value={decimals(scored === 0 ? 0 : (100 * deferred) / scored, 1)}>
          per 100 scored rows, without unusable replies
        </Fact>
      </dl>
      {payload.is_inverted && (
        <p>Confidence is inverted: the model is surer when it fails, so no threshold is safe.</p>
      )}
      <p className="quiet small">
        A threshold chosen on these rows looks better than it is: check it on other rows before using it.
      </p>
    </section>
  );
}

/** Sections with the chosen threshold among the rules of the risk-coverage chart: the point of the curve at it, or the next stricter one. */
export function markThreshold(
  sections: RunPayload['sections'],
  { confidence_steps: steps }: Pick<RunPayload, 'confidence_steps'>,
  wanted: string | null,
): RunPayload['sections'] {
  const step = steps[stepAt(steps, wanted)];
  return step === undefined
    ? sections
    : sections.map((section) =>
        section.id === 'risk-coverage'
          ? { ...section, blocks: section.blocks.map((block) => markBlock(block, step.threshold)) }
          : section,
      );
}

function markBlock(block: Block, threshold: number): Block {
  if (block.kind !== 'figure' || block.chart.chart !== 'riskCoverage') return block;
  const data = block.chart.data.map((series) => {
    const { points } = series.figures.riskCoverage;
    const point = points.findLast((one) => one.threshold >= threshold) ?? points[0];
    if (point === undefined) return series;
    const { coverage, selective_risk: risk } = point;
    const name = `chosen threshold ${decimals(threshold, 3)}`;
    return { ...series, references: [...(series.references ?? []), { name, coverage, risk }] };
  });
  return { ...block, chart: { chart: 'riskCoverage', data } };
}

/** The step of a threshold in the address. Without one, all answers are accepted; a number between two steps selects the stricter. */
function stepAt(steps: RunPayload['confidence_steps'], threshold: string | null): number {
  const last = steps.length - 1;
  if (threshold === null || !Number.isFinite(Number(threshold))) return last;
  const place = steps.findLastIndex((step) => step.threshold >= Number(threshold));
  return Math.max(0, place);
}

function shareText({ count, n }: { readonly count: number; readonly n: number }): string {
  return `${whole(count)} of ${whole(n)}`;
}

function Fact({ title, value, children }: { title: string; value: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <strong className="figure">{value}</strong>
        <span className="quiet line">{children}</span>
      </dd>
    </div>
  );
}
