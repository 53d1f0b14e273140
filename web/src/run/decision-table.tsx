import {
  CASE_KINDS,
  CASE_WORDS,
  type CaseKind,
  DECISION_CLASSES,
  type DecisionClass,
  whole,
} from '../../../src/viewer/browser.ts';
import type { RunPayload } from '../api.ts';
import { Decision, decisionWords, isHarm } from '../parts/decision.tsx';
import { recordsHref } from './chart-links.ts';

/** Decisions that are right, which the table frames. */
const RIGHT: readonly DecisionClass[] = ['right_answer', 'rightly_deferred'];

interface TableProps {
  readonly id: string;
  /** Rows by what the case calls for. */
  readonly counts: NonNullable<RunPayload['flow']>['kinds'];
}

/** How decisions turned out (rows) by what the case calls for (columns); every count links to its records. */
export function DecisionTable({ id, counts }: TableProps) {
  const asked = (kind: CaseKind) => counts[kind].n - counts[kind].not_run;
  const kinds = CASE_KINDS.filter((kind) => asked(kind) > 0);
  const classes = DECISION_CLASSES.filter((name) => kinds.some((kind) => counts[kind][name] > 0));
  if (classes.length === 0) return null;
  const sum = (values: readonly number[]) => values.reduce((total, n) => total + n, 0);
  return (
    <figure>
      <h3>Decisions</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="scroll" tabIndex={0} aria-label="Decisions">
        <table className="matrix by-case">
          <caption className="unseen">
            How decisions turned out (rows) by what the case calls for (columns)
          </caption>
          <thead>
            <tr>
              <th scope="col">decision ╲ case</th>
              {kinds.map((kind) => (
                <th key={kind} scope="col">
                  {CASE_WORDS[kind]}
                </th>
              ))}
              <th scope="col" className="apart">
                rows
              </th>
            </tr>
          </thead>
          <tbody>
            {classes.map((name) => (
              <tr key={name}>
                <th scope="row">
                  <Decision name={name} />
                </th>
                {kinds.map((kind) => (
                  <Cell key={kind} id={id} kind={kind} name={name} n={counts[kind][name]} />
                ))}
                <td className="apart">{whole(sum(kinds.map((kind) => counts[kind][name])))}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">all</th>
              {kinds.map((kind) => (
                <td key={kind}>{whole(asked(kind))}</td>
              ))}
              <td className="apart">{whole(sum(kinds.map(asked)))}</td>
            </tr>
          </tbody>
        </table>
      </section>
      <figcaption>
        Every row that was asked counts once, in the first class that fits from the top. Right decisions are
        framed. The rates of unsafe decisions and wrong answers may count a row twice, or leave it out.
      </figcaption>
    </figure>
  );
}

interface CellProps {
  readonly id: string;
  readonly kind: CaseKind;
  readonly name: DecisionClass;
  readonly n: number;
}

function Cell({ id, kind, name, n }: CellProps) {
  if (n === 0)
    return (
      <td>
        <span className="quiet">0</span>
      </td>
    );
  return (
    <td className={isHarm(name) ? 'harmed' : RIGHT.includes(name) ? 'right' : undefined}>
      <a href={recordsHref(id, { decision_class: [name], case_kind: [kind] })} title="List these records">
        <span className="unseen">
          {CASE_WORDS[kind]}, {decisionWords(name)}:{' '}
        </span>
        {whole(n)}
      </a>
    </td>
  );
}
