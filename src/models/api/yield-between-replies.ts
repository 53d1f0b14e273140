const AT_ONCE = 4;
const waiting: (() => void)[] = [];

/**
 * Handles replies a few per turn of the event loop. Replies arrive in bursts, and no request goes out before the turn that reads them ends: without this, the first call of a burst would send
 * its next request only after the last reply was handled, and the provider would sit idle.
 */
export function yieldBetweenReplies(work: () => void): void {
  if (waiting.push(work) === 1) setImmediate(handleSome);
}

function handleSome(): void {
  for (const work of waiting.splice(0, AT_ONCE)) work();
  if (waiting.length > 0) setImmediate(handleSome);
}
