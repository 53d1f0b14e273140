import { printMessage } from './print.ts';

/** First Ctrl-C (or SIGTERM): stop softly. Second: leave at once. */
export function onInterrupt(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  const handler = () => {
    if (controller.signal.aborted) process.exit(130);
    printMessage('\nstopping: waiting for calls in flight (Ctrl-C again quits at once)\n');
    controller.abort();
  };
  process.on('SIGINT', handler).on('SIGTERM', handler);
  return {
    signal: controller.signal,
    stop: () => process.off('SIGINT', handler).off('SIGTERM', handler),
  };
}
