import type { RunPayload } from '../api.ts';

/** Whether the run file was changed since it was written: a warning if it was, otherwise a quiet line. */
export function Verification({ mark }: { readonly mark: RunPayload['verification'] }) {
  return <p className={mark.verdict === 'changed' ? 'notice' : 'quiet small'}>Run file: {mark.text}.</p>;
}
