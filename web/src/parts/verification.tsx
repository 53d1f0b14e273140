import type { RunPayload } from '../api.ts';
import { OutsideText } from './outside-text.tsx';

/** Whether the run file was changed since it was written: a loud warning if it was, otherwise a quiet line. */
export function Verification({ mark: { verdict, text } }: { readonly mark: RunPayload['verification'] }) {
  if (verdict !== 'changed')
    return (
      <p className="quiet small">
        Run file: <OutsideText text={text} />.
      </p>
    );
  return (
    <section className="notice changed" role="alert">
      <h2>This run file was changed after it was written</h2>
      <p>
        Run file: <OutsideText text={text} />.
      </p>
      <p>No number below can be trusted.</p>
    </section>
  );
}
