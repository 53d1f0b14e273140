import type { RunLine, RunPayload } from '../api.ts';
import { usePayload } from '../data/use-payload.ts';
import { OutsideText } from './outside-text.tsx';

type Mark = RunPayload['verification'];

/** What is known of a run file: of a long one first that its seal fits, and then, when all its entries were read, whether one was changed. */
export function useVerification({ id, status }: Pick<RunLine, 'id' | 'status'>, mark: Mark): Mark {
  const enabled = mark.checked === 'seal' && mark.verdict !== 'unverified' && status !== 'running';
  const whole = usePayload('runs/:id/verification', { id }, undefined, { enabled });
  return enabled && whole.state === 'loaded' ? whole.value : mark;
}

/** Whether a notice about the file comes before every number. A run that is being written has no seal yet. */
export function needsNotice({ verdict }: Mark, { status }: Pick<RunLine, 'status'>): boolean {
  return verdict !== 'verified' && status !== 'running';
}

interface VerificationProps {
  readonly mark: Mark;
  /** Which of several runs it is. Default: the page is about one. */
  readonly name?: string;
  /** Whether it is a quiet line. Default: a notice. */
  readonly isQuiet?: boolean;
}

/** Whether the run file is verified. */
export function Verification({ mark: { verdict, text }, name, isQuiet = false }: VerificationProps) {
  if (isQuiet)
    return (
      <p className="quiet small">
        Run file: <OutsideText text={text} />.
      </p>
    );
  const [first = text, ...rest] = text.split('; ');
  return (
    <section className={verdict === 'unverified' ? 'notice unverified' : 'notice'} role="alert">
      <h2>
        {name === undefined ? (
          `This run file is ${verdict}`
        ) : (
          <>
            The run file of <OutsideText text={name} /> is {verdict}
          </>
        )}
      </h2>
      <p>
        Run file: <OutsideText text={first} />.
      </p>
      {verdict === 'unverified' && <p>No number below can be trusted.</p>}
      {rest.length > 0 && (
        <details>
          <summary>Details</summary>
          <ul>
            {rest.map((line) => (
              <li key={line}>
                <OutsideText text={line} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
