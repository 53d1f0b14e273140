const AT_ONCE = 4;
const waiting: (() => void)[] = [];

/**
 * Work on replies, a few in each turn of the event loop. Replies come in bursts, and no request goes out before the turn ends in which they are read: without this, the first of a burst would send
 * its next request only when the last was worked on, and the provider would wait for us.
 */
export function inTurn(work: () => void): void {
  if (waiting.push(work) === 1) setImmediate(workOnSome);
}

function workOnSome(): void {
  for (const work of waiting.splice(0, AT_ONCE)) work();
  if (waiting.length > 0) setImmediate(workOnSome);
}
