import { whole } from '../../../src/viewer/browser.ts';
import type { ReadQuestions } from './payload.ts';

/** What answering and judging took: calls, tokens and money, apart. */
export function Roles({ execution: { roles = [] } }: Pick<ReadQuestions, 'execution'>) {
  if (roles.length === 0) return null;
  const count = (n: number | null) => (n === null ? '–' : whole(n));
  return (
    <section aria-labelledby="roles-title">
      <h2 id="roles-title">What answering and judging took</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="scroll" tabIndex={0} aria-label="Calls, tokens and cost">
        <table>
          <caption className="unseen">What answering and judging took</caption>
          <thead>
            <tr>
              <th scope="col">role</th>
              {['calls', 'input tokens', 'output tokens', 'cost'].map((title) => (
                <th key={title} scope="col" className="number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {roles.map((asked) => (
              <tr key={`${asked.role} ${asked.name} ${asked.config}`}>
                <th scope="row">
                  {asked.role === 'model' ? 'answering' : 'judging'}: {asked.name}
                </th>
                <td className="number">{whole(asked.n_calls)}</td>
                <td className="number">{count(asked.input_tokens)}</td>
                <td className="number">{count(asked.output_tokens)}</td>
                <td className="number">{asked.cost_usd === null ? '–' : `$${asked.cost_usd.toFixed(4)}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
