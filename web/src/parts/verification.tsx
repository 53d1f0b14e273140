import type { RunLine, RunPayload } from '../api.ts';
import { usePayload } from '../data/use-payload.ts';
import { OutsideText } from './outside-text.tsx';
import { Sections } from './report-blocks.tsx';

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

/** Whether the run file is verified: a notice, or a quiet line. The server writes both. */
export function Verification({ mark: { verdict, notice, text }, isQuiet = false }: VerificationProps) {
  if (isQuiet)
    return (
      <p className="quiet small">
        Run file: <OutsideText text={text} />.
      </p>
    );
  return (
    <div className={verdict === 'unverified' ? 'notice unverified' : 'notice'} role="alert">
      <Sections sections={[notice]} />
    </div>
  );
}

interface VerificationProps {
  readonly mark: Mark;
  /** Default: a notice. */
  readonly isQuiet?: boolean;
}
