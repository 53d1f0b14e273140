import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Asked,
  recordsOf,
  response,
  scriptedBackend,
  task,
  temporaryFolder,
} from '../../test/engine-fixture.ts';
import { type ExecuteOptions, execute } from '../../test/execute.ts';
import type { BackendResponse } from '../models/backend.ts';
import { BackendError } from '../models/backend-error.ts';
import type { CallIntent } from '../store/call.ts';
import { type Journal, RunFile } from '../store/run-file.ts';

/**
 * A run is broken off before every single entry into its journal, as by a kill, and after every call, as by Ctrl-C. Going on must end as if nothing had happened, though what the
 * backend answers depends on the whole question: a batch that was split elsewhere would give other answers.
 */
const folder = temporaryFolder();
afterAll(folder.remove);

const IDS = 'abcdefghijklmnop';
const records = recordsOf(IDS);

/** A number in [0, 1) that depends on the seed and what is asked. */
const draw = (...what: (string | number)[]) =>
  createHash('sha256').update(what.join('|')).digest().readUInt32BE(0) / 2 ** 32;

/** Batches that break in every way, rows that break, one poisoned record, a connection that fails at first. The answer to a record depends on the others of its batch. */
const moody =
  (seed: number) =>
  ({ ids, mode, time }: Asked): BackendResponse[] => {
    const question = `${mode}:${ids}`;
    const answers = [...ids].map((id) =>
      response({
        prediction: draw(seed, 'says', question, id) < 0.1 ? 'maybe' : 'yes',
        confidence: draw(seed, 'sure', question, id),
      }),
    );
    if (ids.includes('c')) throw new BackendError('server', '500');
    if (time === 1 && draw(seed, 'first', question) < 0.2) throw new BackendError('network', 'reset');
    const mood = draw(seed, 'mood', question);
    if (mood < 0.35) {
      const partial = answers.map((answer, i) => (draw(seed, 'kept', question, i) < 0.4 ? answer : null));
      throw new BackendError('malformed', 'half', { partial: ids.length > 1 ? partial : [] });
    }
    if (mood < 0.5) throw new BackendError(mood < 0.4 ? 'empty' : 'truncated', 'nothing');
    if (mood < 0.55) throw new BackendError('timeout', `late for the ${time}. time`);
    return answers;
  };

class Killed extends Error {}

/** The same object with some methods of its own. */
function withMethods<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(name in methods ? methods : target, name);
      return typeof value === 'function' && !(name in methods) ? value.bind(target) : value;
    },
  });
}

/** The journal of a process that dies before it makes its n-th entry. Notes which questions had come back. */
function mortal(living: Journal, dieAt: number) {
  const { calls, rows, wait } = living;
  const cameBack = new Set<string>();
  const keys = new Map<number, string>();
  let entries = 0;
  const entry = () => {
    if (++entries > dieAt) throw new Killed();
  };
  const journal: Journal = {
    wait,
    afterCommit: (work) => living.afterCommit(work),
    textHash: (text) => living.textHash(text),
    calls: withMethods(calls, {
      async begin(intent) {
        entry();
        const callId = await calls.begin(intent);
        keys.set(callId, describeCall(intent));
        return callId;
      },
      end(callId, outcome, brought) {
        entry();
        calls.end(callId, outcome, brought);
        if (outcome.outcome !== 'retry') cameBack.add(keys.get(callId)!);
      },
    }),
    rows: withMethods(rows, {
      enter(entered) {
        entry();
        rows.enter(entered);
      },
    }),
  };
  return { journal, cameBack, entries: () => entries };
}

const describeCall = ({ mode, recordIds }: Pick<CallIntent, 'mode' | 'recordIds'>) =>
  mode === 'single' ? `(${recordIds.join('')})` : recordIds.join('');

function options(seed: number, journal: Journal, more: Partial<ExecuteOptions> = {}) {
  const backend = scriptedBackend(moody(seed), { maxRetries: 2 });
  const run = { records, task, backend, journal, batchSize: 6, maxConcurrency: 1, ...more };
  return { backend, run };
}

const readRows = (run: RunFile) =>
  [...run.rows.read()].map(({ id, state, stateReason, prediction, confidence }) => ({
    id,
    state,
    stateReason,
    prediction,
    confidence,
  }));

function withRecords(run: RunFile): RunFile {
  run.records.enter(
    records.map((record, i) => [i, record] as const),
    false,
  );
  return run;
}

const journals: [string, () => RunFile][] = [
  ['in memory', () => withRecords(RunFile.inMemory())],
  ['in a file', () => withRecords(RunFile.write(folder.file(`${Math.random()}.db`)))],
];

describe.each(journals)('a run %s', (_, create) => {
  describe.each([1, 3])('with the moods of seed %s', (seed) => {
    it.each([1, 3])('killed before any entry, %s at a time, ends as if nothing had happened', async (n) => {
      const maxConcurrency = n;
      const undisturbed = create();
      const whole = mortal(undisturbed, Number.POSITIVE_INFINITY);
      const first = options(seed, whole.journal, { maxConcurrency });
      await execute(first.run);
      const expected = readRows(undisturbed);
      undisturbed.close();
      expect(expected).toHaveLength(16);
      // The run must be worth the trouble: it splits, retries and fails.
      expect(first.backend.calls.length).toBeGreaterThan(12);
      expect(expected.some(({ state }) => state === 'failed')).toBe(true);

      for (let dieAt = 0; dieAt < whole.entries(); dieAt++) {
        const journal = create();
        const dying = mortal(journal, dieAt);
        await expect(
          execute(options(seed, dying.journal, { maxConcurrency }).run),
          `entry ${dieAt}`,
        ).rejects.toThrow(Killed);
        const again = options(seed, journal, { maxConcurrency });
        const progress = await execute(again.run);
        expect(progress.done, `entry ${dieAt}`).toBe(16);
        expect(readRows(journal), `entry ${dieAt}`).toEqual(expected);
        expect(
          again.backend.calls.filter((call) => dying.cameBack.has(call)),
          `entry ${dieAt}: asked again`,
        ).toEqual([]);
        journal.close();
      }
    });
  });

  it('told to stop after any call makes no other, and goes on where it stopped', async () => {
    const undisturbed = create();
    const first = options(1, undisturbed);
    await execute(first.run);
    const expected = readRows(undisturbed);
    undisturbed.close();
    for (let k = 1; k <= first.backend.calls.length; k++) {
      const journal = create();
      const stop = new AbortController();
      const { run, backend } = options(1, journal, { signal: stop.signal });
      const script = moody(1);
      const stopping = scriptedBackend(
        (asked) => {
          if (stopping.calls.length === k) stop.abort();
          return script(asked);
        },
        { maxRetries: 2 },
      );
      expect(backend.calls).toEqual([]);
      await execute({ ...run, backend: stopping });
      expect(stopping.calls).toEqual(first.backend.calls.slice(0, k));
      const again = options(1, journal);
      await execute(again.run);
      expect(readRows(journal), `after ${k} calls`).toEqual(expected);
      journal.close();
    }
  });

  it.each([1, 5])(
    'made larger with seed %s, and killed before any entry, ends as if nothing had happened',
    async (seed) => {
      const larger = { batchSize: 8 };
      const smaller = { ...larger, records: records.slice(0, 9) };
      const undisturbed = create();
      await execute(options(seed, undisturbed, smaller).run);
      const whole = mortal(undisturbed, Number.POSITIVE_INFINITY);
      await execute(options(seed, whole.journal, larger).run);
      const expected = readRows(undisturbed);
      undisturbed.close();
      for (let dieAt = 0; dieAt < whole.entries(); dieAt++) {
        const journal = create();
        await execute(options(seed, journal, smaller).run);
        const dying = mortal(journal, dieAt);
        await expect(execute(options(seed, dying.journal, larger).run)).rejects.toThrow(Killed);
        const again = options(seed, journal, larger);
        await execute(again.run);
        expect(readRows(journal), `entry ${dieAt}`).toEqual(expected);
        expect(again.backend.calls.filter((call) => dying.cameBack.has(call))).toEqual([]);
        journal.close();
      }
    },
  );
});
