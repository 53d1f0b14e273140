import type { RunEvent, RunEventKind } from './run-event.ts';
import type { Statements } from './statements.ts';
import { objectCell } from './stored-cells.ts';

/** What happened to a run, in order. */
export function storedEvents(sql: Statements): RunEvent[] {
  return sql.all('SELECT time, kind, data FROM events ORDER BY id').map(({ time, kind, data }) => ({
    time: time as number,
    kind: kind as RunEventKind,
    data: sql.reading(() => objectCell(data, 'the data of an event')),
  }));
}
