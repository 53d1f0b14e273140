import type { ComparePayload } from '../api.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { levelText, number, signed } from '../parts/words.ts';

interface CorrectedProps {
  readonly found: NonNullable<ComparePayload['corrected']>[number];
  /** What the second run is called: its letter. */
  readonly second: string;
  readonly level: number;
}

/** Differences of scores that people's labels correct; nothing where neither run was reviewed. */
export function CorrectedDifferences({ found, second, level }: CorrectedProps) {
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
