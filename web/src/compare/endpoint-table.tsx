// biome-ignore-all lint/a11y/noRedundantRoles: narrow screens show each line as a card, which makes browsers drop the table roles
import { useId } from 'react';
import { whole } from '../../../src/viewer/browser.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { levelText, number, signed } from '../parts/words.ts';
import type { EndpointObject } from './comparison.ts';

interface TableProps {
  readonly title: string;
  /** What the numbers rest on. */
  readonly about: string;
  /** What the second run is called: its letter. */
  readonly second: string;
  readonly level: number;
  readonly lines: readonly EndpointLine[];
}

interface EndpointLine {
  readonly key: string;
  readonly name: string;
  readonly endpoint: EndpointObject;
  /** Default: false. */
  readonly isPrimary?: boolean;
}

/** Paired differences, each with its interval in numbers and as a bar around zero. */
export function EndpointTable({ title, about, second, level, lines }: TableProps) {
  const id = useId();
  const reach = Math.max(
    0.01,
    ...lines.flatMap(({ endpoint: { difference, interval } }) =>
      [difference, interval?.lower, interval?.upper].map((end) => Math.min(1, Math.abs(end ?? 0))),
    ),
  );
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p>{about}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="scroll" tabIndex={0} aria-label={title}>
        <table className="differences" role="table">
          <caption className="unseen">{title}</caption>
          <thead role="rowgroup">
            <tr role="row">
              <th scope="col">endpoint</th>
              <th scope="col" className="number">
                A
              </th>
              <th scope="col" className="number">
                {second}
              </th>
              <th scope="col" className="number">{`${second} − A (${levelText(level)} interval)`}</th>
              <th scope="col" className="stroke">
                <span className="ends">
                  <span>{`−${reach.toFixed(2)}`}</span>
                  <span>0</span>
                  <span>{`+${reach.toFixed(2)}`}</span>
                </span>
              </th>
              <th scope="col" className="number">
                p
              </th>
              <th scope="col" className="number">
                n
              </th>
              <th scope="col">{second === 'run' ? 'the run' : second} is</th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {lines.map(({ key, name, endpoint, isPrimary = false }) => (
              <tr key={key} role="row">
                <th scope="row">
                  <OutsideText text={name} />
                  {isPrimary && <span className="tag line">primary endpoint</span>}
                </th>
                <td role="cell" className="number of-a">
                  {number(endpoint.baseline_value)}
                </td>
                <td role="cell" className="number of-b" data-title={second}>
                  {number(endpoint.model_value)}
                </td>
                <td role="cell" className="number of-difference" data-title={second}>
                  <strong>{signed(endpoint.difference)}</strong>
                  {endpoint.interval !== null &&
                    ` (${signed(endpoint.interval.lower)} to ${signed(endpoint.interval.upper)})`}
                </td>
                <td role="cell" className="stroke">
                  <Stroke endpoint={endpoint} reach={reach} />
                </td>
                <td role="cell" className="number of-p">
                  {endpoint.p === null ? '–' : endpoint.p < 0.001 ? '< 0.001' : number(endpoint.p)}
                </td>
                <td role="cell" className="number of-n">
                  {whole(endpoint.n)}
                </td>
                <td role="cell" className="text">
                  {verdictText(endpoint)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

function Stroke({ endpoint, reach }: { endpoint: EndpointObject; reach: number }) {
  const { difference, interval, verdict } = endpoint;
  if (difference === null) return null;
  const at = (value: number) => 50 + (50 * Math.max(-reach, Math.min(reach, value))) / reach;
  const [low, high] = [at(interval?.lower ?? difference), at(interval?.upper ?? difference)];
  return (
    <svg
      className={`difference ${verdict}`}
      viewBox="0 0 100 14"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect className="zero" x="49.7" width="0.6" height="14" />
      <rect className="range" x={low} y="6" width={Math.max(0.5, high - low)} height="2" />
      <rect className="point" x={at(difference) - 1} y="3" width="2" height="8" />
    </svg>
  );
}

/** For a plain verdict the numbers beside it suffice. Every other one needs its words: what difference could have been shown, or which harm speaks against it. */
function verdictText({ verdict, in_words: inWords }: EndpointObject): string {
  return verdict === 'better' || verdict === 'worse' ? verdict : unbroken(inWords);
}

/** Keeps `p < 0.001` and `-0.1 to 0.2` on one line, and writes a minus as wide as a plus. */
function unbroken(text: string): string {
  return text
    .replaceAll(' < ', '\u00a0<\u00a0')
    .replaceAll(' to ', '\u00a0to\u00a0')
    .replace(/(?<![\w.])-(?=\d)/g, '\u2212');
}
