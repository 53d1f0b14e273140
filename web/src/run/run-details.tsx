import { restsOn } from '../../../src/viewer/browser.ts';
import type { RunPayload, ScoreLine } from '../api.ts';
import { Json } from '../parts/json.tsx';
import { levelText, number, range, words } from '../parts/words.ts';

/** The details behind the headline: every metric, execution, provenance and prompts. */
export function RunDetails({ payload }: { payload: RunPayload }) {
  const { scores, execution, provenance, templates } = payload;
  const families = [...new Set(scores.map(({ family }) => family))];
  return (
    <section aria-labelledby="details-title">
      <h2 id="details-title">Everything else</h2>
      {families.length > 0 && (
        <details className="panel">
          <summary>All {scores.length} metrics</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
          <section className="scroll" tabIndex={0} aria-label="All metrics">
            <table>
              <caption className="unseen">All metrics</caption>
              <thead>
                <tr>
                  <th scope="col">metric</th>
                  <th scope="col" className="number">
                    value
                  </th>
                  <th scope="col" className="number">
                    interval
                  </th>
                  <th scope="col" className="number">
                    n
                  </th>
                  <th scope="col">reads as</th>
                </tr>
              </thead>
              {families.map((family) => (
                <tbody key={family}>
                  <tr className="group">
                    <th scope="rowgroup" colSpan={5}>
                      {words(family)}
                    </th>
                  </tr>
                  {scores
                    .filter((score) => score.family === family)
                    .map((score) => (
                      <MetricRow key={score.name} score={score} />
                    ))}
                </tbody>
              ))}
            </table>
          </section>
        </details>
      )}
      <details className="panel">
        <summary>Execution</summary>
        <Json value={execution} />
      </details>
      <details className="panel">
        <summary>Provenance</summary>
        <Json value={provenance} />
      </details>
      {templates.length > 0 && (
        <details className="panel">
          <summary>Prompt templates ({templates.length}), patient data redacted</summary>
          {templates.map(({ prompt_mode: mode, prompt }) => (
            <div key={`${mode}${JSON.stringify(prompt)}`}>
              <h3>{words(mode)}</h3>
              <Json value={prompt} />
            </div>
          ))}
        </details>
      )}
    </section>
  );
}

function MetricRow({ score }: { score: ScoreLine }) {
  return (
    <tr>
      <th scope="row">{score.label}</th>
      <td className="number">{number(score.value)}</td>
      <td className="number">
        {score.interval === null ? '–' : `${range(score.interval)} (${levelText(score.interval.level)})`}
      </td>
      <td className="number">{restsOn(score.n_successes, score.n)}</td>
      <td>{score.value === null ? `no value: ${words(score.reason ?? 'no reason given')}` : score.reads}</td>
    </tr>
  );
}
