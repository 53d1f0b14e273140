import { metricSection } from '../../../src/viewer/browser.ts';
import { Json } from '../parts/json.tsx';
import { Blocks } from '../parts/report-blocks.tsx';
import { words } from '../parts/words.ts';
import type { PanelProps } from './panel.ts';
import { scoreOfLine } from './score-of-line.ts';

/** The details behind the headline: every metric, execution, provenance and prompts. */
export function RunDetails({ payload }: PanelProps) {
  const { scores, method, execution, provenance, templates } = payload;
  return (
    <section aria-labelledby="details-title">
      <h2 id="details-title">Everything else</h2>
      {scores.length > 0 && (
        <details className="panel">
          <summary>All {scores.length} metrics</summary>
          <Blocks blocks={metricSection(scores.map(scoreOfLine), method.level).blocks} />
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
