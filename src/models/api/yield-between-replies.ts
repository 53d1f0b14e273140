const AT_ONCE = 4;
/** A kill loses replies that were received and not handled: with this many, no further request goes out. */
const MAX_WAITING = 8;
const replies: (() => void)[] = [];
const requests: (() => void)[] = [];

/**
 * Handles replies a few per turn of the event loop. Replies arrive in bursts, and no request goes out before the turn that reads them ends: without this, the first call of a burst would send
 * its next request only after the last reply was handled, and the provider would sit idle.
 */
export function yieldBetweenReplies(work: () => void): void {
  if (replies.push(work) + requests.length === 1) setImmediate(handleSome);
}

/** Sends a request once no more than a few replies wait to be handled, a few per turn: a provider that answers faster than replies are handled gains nothing from more requests. */
export function whenCaughtUp(send: () => void): void {
  if (replies.length < MAX_WAITING && requests.length === 0) send();
  else requests.push(send);
}

function handleSome(): void {
  for (const work of replies.splice(0, AT_ONCE)) work();
  if (replies.length < MAX_WAITING) for (const send of requests.splice(0, AT_ONCE)) send();
  if (replies.length + requests.length > 0) setImmediate(handleSome);
}
