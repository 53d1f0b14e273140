import type { RunLine, RunPayload } from '../api.ts';
import { usePayload } from '../data/use-payload.ts';
import { OutsideText } from './outside-text.tsx';

type Mark = RunPayload['verification'];

/** What is known of a run file: of a long one first that its seal fits, and then, when all its entries were read, whether one was changed. */
export function useVerification({ id, status }: Pick<RunLine, 'id' | 'status'>, mark: Mark): Mark {
  const enabled = mark.checked === 'seal' && mark.verdict !== 'changed' && status !== 'running';
  const whole = usePayload('runs/:id/verification', { id }, undefined, { enabled });
  return enabled && whole.state === 'loaded' ? whole.value : mark;
}

interface VerificationProps {
  readonly mark: Mark;
  /** Which of several runs it is. Default: the page is about one. */
  readonly name?: string;
}

/** Whether the run file was changed since it was written: a loud warning if it was, otherwise a quiet line. */
export function Verification({ mark: { verdict, text }, name }: VerificationProps) {
  if (verdict !== 'changed')
    return (
      <p className="quiet small">
        Run file: <OutsideText text={text} />.
      </p>
    );
  const [first = text, ...rest] = text.split('; ');
  return (
    <section className="notice changed" role="alert">
      <h2>
        {name === undefined ? (
          'This run file was changed after it was written'
        ) : (
          <>
            The run file of <OutsideText text={name} /> was changed after it was written
          </>
        )}
      </h2>
      <p>
        Run file: <OutsideText text={first} />.
      </p>
      <p>No number below can be trusted.</p>
      {rest.length > 0 && (
        <details>
          <summary>What was changed</summary>
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
