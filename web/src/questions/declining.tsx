import { whole } from '../../../src/viewer/browser.ts';
import { levelText, number, range, words } from '../parts/words.ts';
import type { AbstentionScore } from './payload.ts';

/** Whether the model declined the right questions. */
export function Declining({ metrics }: { metrics: Readonly<Record<string, AbstentionScore>> }) {
  const scores = Object.entries(metrics);
  if (scores.length === 0) return null;
  return (
    <section aria-labelledby="declining-title">
      <h2 id="declining-title">Answering and declining</h2>
      <table>
        <caption className="unseen">Answering and declining</caption>
        <thead>
          <tr>
            <th scope="col">metric</th>
            <th scope="col" className="number">
              value
            </th>
            <th scope="col" className="number">
              n
            </th>
          </tr>
        </thead>
        <tbody>
          {scores.map(([name, { label, value, reason, interval, n_evaluated: n }]) => (
            <tr key={name}>
              <th scope="row">{label}</th>
              <td className="number">
                {value === null ? (
                  <span className="quiet">{words(reason ?? 'no value')}</span>
                ) : (
                  <>
                    <strong>{number(value)}</strong>{' '}
                    <span className="quiet">
                      {interval === null
                        ? '(no interval)'
                        : `(${levelText(interval.level)} ${range(interval)})`}
                    </span>
                  </>
                )}
              </td>
              <td className="number quiet">{whole(n)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
