interface Announcement {
  /** From when on a client may be expected to know of it. */
  readonly known: number;
  readonly until: number;
}

/**
 * The waits that were announced, to tell which requests come too early. A wait is meant for everybody who uses the account, not only for the request that was told of it; what had
 * arrived before it was sent is not concerned.
 */
export function createAnnouncements({ graceMs = 0, noticeMs = 0 }: { graceMs?: number; noticeMs?: number }) {
  const fresh: Announcement[] = [];
  let until = 0;
  return {
    announce(sentAt: number, waitUntil: number): void {
      fresh.push({ known: sentAt + noticeMs, until: waitUntil });
    },
    /** Asked in the order of arrival. */
    isEarly(arrival: number): boolean {
      while (fresh[0] !== undefined && fresh[0].known < arrival)
        until = Math.max(until, fresh.shift()!.until);
      return arrival < until - graceMs;
    },
  };
}
