import { MonotonicWait } from './provider-waits.ts';
import type { Statements } from './statements.ts';

/** The wait that a provider asked a run for. It is stored, so a process that continues the run waits as well. */
export interface RunWait {
  /** Milliseconds for which no call may be made. */
  left(): number;
  /** Waits at least this many milliseconds from now. */
  extend(milliseconds: number): void;
  /** Ends the wait. */
  clear(): void;
}

export function runWait(sql: Statements): RunWait {
  /** Read from the file once: no other process writes. */
  let known: MonotonicWait | null = null;
  const stored = () => {
    known ??= storedWait(sql);
    return known;
  };
  return {
    left: () => stored().left,
    extend(milliseconds) {
      stored().extend(milliseconds);
      sql.run(
        'INSERT INTO pacing VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET moment = max(moment, excluded.moment)',
        Date.now() + milliseconds,
      );
    },
    clear() {
      known = new MonotonicWait();
      sql.run('DELETE FROM pacing');
    },
  };
}

function storedWait(sql: Statements): MonotonicWait {
  const wait = new MonotonicWait();
  const moment = Number(sql.get('SELECT moment FROM pacing')?.moment ?? 0);
  // A clock that shows an earlier time than the last call was set back: then no more is left than was asked for.
  const last = 'SELECT max(coalesce(finished_at, started_at)) * 1000 AS moment FROM all_calls';
  if (moment > Date.now()) wait.extend(moment - Math.max(Date.now(), Number(sql.get(last)?.moment ?? 0)));
  return wait;
}
