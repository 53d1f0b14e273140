import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Asked,
  allYes,
  recordsOf,
  response,
  scriptedBackend,
  suiteOf,
  temporaryFolder,
} from '../../test/engine-fixture.ts';
import type { FailureProblem, Fault } from '../core/fault.ts';
import type { Backend, BackendResponse } from '../models/backend.ts';
import { BackendError } from '../models/backend-error.ts';
import { LEXICAL_JUDGE } from '../models/judge.ts';
import { RunFile } from '../store/run-file.ts';
import { verifyRun } from '../store/verify-run.ts';
import { parseQuestionSuite } from '../suites/questions/question-suite.ts';
import type { AskingAgain } from './ask-again.ts';
import { run } from './run.ts';
import type { RunOptions } from './run-options.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let made = 0;
const newPath = () => folder.file(`run-${++made}.db`);

const suite = suiteOf(recordsOf('abcdefghijklmnop'));

function options(path: string, backend: Backend, more: Partial<RunOptions> = {}): RunOptions {
  const scoring = { resamples: 0 };
  return { suite, backend, path, seed: 1, batchSize: 4, maxConcurrency: 1, scoring, ...more };
}

/** Fails every call about one of these records. */
function failing(ids: string, fault: Fault, problem?: FailureProblem) {
  return (asked: Asked): BackendResponse[] => {
    if ([...asked.ids].some((id) => ids.includes(id)))
      throw new BackendError(fault, 'no', { ...(problem && { problem }), status: 500 });
    return allYes(asked) as BackendResponse[];
  };
}

function stored(path: string) {
  return RunFile.use(path, (file) => ({
    failed: [...file.rows.read()].filter(({ state }) => state === 'failed').map(({ id }) => id),
    rounds: file.events.read().flatMap(({ kind, data }) => (kind === 'asked_again' ? [data] : [])),
    calls: file.rounds.plannedCalls(),
  }));
}

function attemptsAt(path: string, round: number): string {
  return RunFile.use(path, (file) => file.rounds.rowsEntered(round))
    .map(({ recordId }) => recordId)
    .sort()
    .join('');
}

describe('failed rows', () => {
  it('are asked again by the same call, in batches of their own, and earlier attempts stay', async () => {
    const path = newPath();
    await run(options(path, scriptedBackend(failing('cfk', 'server'))));
    expect(stored(path).failed).toEqual(['c', 'f', 'k']);
    const backend = scriptedBackend(allYes);
    const { status, card } = await run(options(path, backend));
    expect(backend.calls.map((ids) => [...ids].sort().join(''))).toEqual(['cfk']);
    expect([status, card.ledger.answered_correct]).toEqual(['complete', 16]);
    expect(stored(path)).toMatchObject({ failed: [], rounds: [{ round: 1, rows: { server: 3 } }] });
    expect([attemptsAt(path, 0), attemptsAt(path, 1)]).toEqual(['abcdefghijklmnop', 'cfk']);
    expect(verifyRun(path).verdict).toBe('verified');
  });

  it('that fail again are asked once more by the next call, and succeed in their own time', async () => {
    const path = newPath();
    await run(options(path, scriptedBackend(failing('cfk', 'server'))));
    await run(options(path, scriptedBackend(failing('f', 'timeout', 'timeout'), { maxRetries: 0 })));
    expect(stored(path).failed).toEqual(['f']);
    const backend = scriptedBackend(allYes);
    await run(options(path, backend));
    expect([backend.calls, attemptsAt(path, 1), attemptsAt(path, 2)]).toEqual([['f'], 'cfk', 'f']);
    expect(stored(path).rounds.map(({ rows }) => rows)).toEqual([{ server: 3 }, { timeout: 1 }]);
  });

  it('are left with keepFailed, and then nothing in the file changes', async () => {
    const path = newPath();
    await run(options(path, scriptedBackend(failing('c', 'server'))));
    const before = readFileSync(path);
    const backend = scriptedBackend(allYes);
    await run(options(path, backend, { keepFailed: true }));
    expect([backend.calls, readFileSync(path).equals(before)]).toEqual([[], true]);
  });

  it('are announced with their number and the most they can cost before the first call', async () => {
    const path = newPath();
    await run(options(path, scriptedBackend(failing('cfkmn', 'server'))));
    const said: AskingAgain[] = [];
    const backend = scriptedBackend(
      (asked) => {
        expect(said).toHaveLength(1);
        return allYes(asked);
      },
      {
        cost: ({ inputTokens, outputTokens }) => (inputTokens! + outputTokens!) / 100,
        maxTokens: (records) => ({ inputTokens: records.length, outputTokens: 1 }),
      },
    );
    await run(options(path, backend, { onAskAgain: (again) => said.push(again) }));
    expect(said).toEqual([{ nRows: 5, problems: { server: 5 }, maxCostUsd: 0.07, nJudgements: 0, left: {} }]);
    await run(options(path, backend, { onAskAgain: (again) => said.push(again) }));
    expect(said, 'nothing is said where none failed').toHaveLength(1);
  });

  it('are asked together with records that were never asked, which come first', async () => {
    const path = newPath();
    const first = scriptedBackend(failing('abcdefghijklmnop', 'server'));
    await run(options(path, first, { limit: 4 }));
    const backend = scriptedBackend(allYes);
    const result = await run(options(path, backend, { limit: 8 }));
    expect([backend.calls.length, backend.calls[1]]).toEqual([2, first.calls[0]]);
    expect(result.card.ledger).toMatchObject({ n: 8, answered_correct: 8 });
  });

  it('beyond a smaller limit are left', async () => {
    const path = newPath();
    await run(options(path, scriptedBackend(failing('abcdefghijklmnop', 'server')), { limit: 8 }));
    const backend = scriptedBackend(allYes);
    const { status, card } = await run(options(path, backend, { limit: 4 }));
    expect([backend.seen.length, status, card.ledger.failed_server]).toEqual([4, 'complete', 4]);
  });

  it('share a call only with the rows they were last asked with', async () => {
    const path = newPath();
    await run(options(path, scriptedBackend(failing('cfk', 'server'))));
    const before = stored(path).calls;
    const others = [...'abdeghijlmnop'];
    await run(options(path, scriptedBackend(allYes)));
    const { calls } = stored(path);
    expect(new Set([...'cfk'].map((id) => calls.get(id))).size).toBe(1);
    const groups = (of: ReadonlyMap<string, string>) =>
      others.map((id) => others.filter((other) => of.get(other) === of.get(id)).join(''));
    expect(groups(calls)).toEqual(groups(before));
    expect(others.some((id) => calls.get(id) === calls.get('c'))).toBe(false);
  });
});

describe('a reply that was cut or filtered', () => {
  const withCap = (script: Parameters<typeof scriptedBackend>[0], maxOutputTokens: number) =>
    scriptedBackend(script, { settings: { maxOutputTokens, timeoutSeconds: 10 } });

  it.each<[Fault, number, boolean]>([
    ['truncated', 100, false],
    ['truncated', 50, false],
    ['truncated', 200, true],
    ['empty', 100, false],
    ['empty', 200, true],
    ['too_long', 200, false],
    ['too_long', 50, true],
    ['refused', 200, false],
    ['not_recorded', 200, false],
    ['malformed', 100, true],
    ['timeout', 100, true],
  ])('(%s at 100 tokens) with %s tokens is asked again: %s', async (fault, cap, isAsked) => {
    const path = newPath();
    await run(options(path, withCap(failing('cf', fault), 100)));
    const before = readFileSync(path);
    const backend = withCap(allYes, cap);
    const said: AskingAgain[] = [];
    await run(options(path, backend, { onAskAgain: (again) => said.push(again) }));
    expect(backend.seen.length).toBe(isAsked ? 2 : 0);
    expect(said[0]).toMatchObject(isAsked ? { nRows: 2, left: {} } : { nRows: 0, left: { [fault]: 2 } });
    if (!isAsked) expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('is compared with the settings of the call that failed, not with those of the first', async () => {
    const path = newPath();
    await run(options(path, withCap(failing('cf', 'truncated'), 100)));
    await run(options(path, withCap(failing('cf', 'truncated'), 200)));
    const same = withCap(allYes, 200);
    await run(options(path, same));
    expect(same.calls).toEqual([]);
    const more = withCap(allYes, 300);
    await run(options(path, more));
    expect(more.seen).toHaveLength(2);
  });

  it('of a backend without such a limit is left, except for an empty one', async () => {
    const path = newPath();
    const script = (asked: Asked) => {
      if (asked.ids.includes('c')) throw new BackendError('truncated', 'cut');
      if (asked.ids.includes('f')) throw new BackendError('empty', 'nothing');
      return allYes(asked);
    };
    await run(options(path, scriptedBackend(script)));
    const backend = scriptedBackend(allYes);
    await run(options(path, backend));
    expect(backend.calls).toEqual(['f']);
  });
});

describe('a kill while rows are asked again', () => {
  class Killed extends Error {}

  /** Answers depend on the whole batch, and some batches break: other batches would give other answers. */
  const moody = ({ ids, mode }: Asked): BackendResponse[] => {
    if (ids.includes('h')) throw new BackendError('server', '500');
    if (ids.length > 2 && mode === 'batch')
      throw new BackendError('malformed', 'half', {
        partial: [...ids].map((_, i) => (i === 0 ? response({ confidence: ids.length / 10 }) : null)),
      });
    return [...ids].map(() => response({ confidence: ids.length / 10 }));
  };
  const answers = (path: string) =>
    RunFile.use(path, (file) =>
      [...file.rows.read()].map(({ id, state, stateReason, confidence }) => [
        id,
        state,
        stateReason,
        confidence,
      ]),
    );

  it('loses nothing, repeats no call that came back, and ends as if nothing had happened', async () => {
    const broken = () => scriptedBackend(failing('bcdfhkmnop', 'server'));
    const whole = newPath();
    await run(options(whole, broken()));
    let nChanges = 0;
    const undisturbed = scriptedBackend(moody);
    await run(options(whole, undisturbed, { onProgress: () => nChanges++ }));
    expect(nChanges).toBeGreaterThan(10);
    for (let dieAt = 1; dieAt <= nChanges; dieAt++) {
      const path = newPath();
      await run(options(path, broken()));
      let seen = 0;
      const dying = scriptedBackend(moody);
      const onProgress = () => {
        if (++seen === dieAt) throw new Killed();
      };
      await expect(run(options(path, dying, { onProgress }))).rejects.toThrow(Killed);
      const rest = scriptedBackend(moody);
      const { status } = await run(options(path, rest));
      expect(status).toBe('complete');
      expect(answers(path), `change ${dieAt}`).toEqual(answers(whole));
      expect(dying.calls.length + rest.calls.length - undisturbed.calls.length).toBeLessThanOrEqual(1);
      expect(stored(path).rounds).toHaveLength(1);
      expect(verifyRun(path).verdict).toBe('verified');
    }
  });

  it('before any row failed again leads to no new round, so that a killed run ends as one that was not', async () => {
    const path = newPath();
    let rows = 0;
    const onProgress = ({ done }: { done: number }) => {
      rows = done;
      if (done === 12) throw new Killed();
    };
    const broken = () => scriptedBackend(failing('abcd', 'server'));
    await expect(run(options(path, broken(), { onProgress }))).rejects.toThrow(Killed);
    expect(rows).toBe(12);
    await run(options(path, broken()));
    expect(stored(path)).toMatchObject({ rounds: [], failed: ['a', 'b', 'c', 'd'] });
  });
});

describe('open questions', () => {
  const open = parseQuestionSuite({
    name: 'demo/open',
    sensitivity: 'synthetic',
    rubric: {
      metric_traits: [{ name: 'advice', metrics: ['recall'], tp_instructions: ['Names paracetamol'] }],
    },
    questions: ['a', 'b', 'c'].map((id) => ({ id, question: `May I take ${id}?` })),
  });
  const writer = (isDown: (question: string) => boolean) => {
    const asked: string[] = [];
    const labels = async () => Promise.reject(new Error('no labels here'));
    const backend: Backend = {
      name: 'demo/writer',
      maxRetries: 0,
      evaluate: labels,
      evaluateBatch: labels,
      async generate({ messages }) {
        const question = messages.at(-1)!.content;
        asked.push(question);
        if (isDown(question)) throw new BackendError('server', 'no', { status: 500 });
        return { text: 'Paracetamol.', inputTokens: null, outputTokens: null };
      },
    };
    return { backend, asked };
  };
  const more = { suite: open, judge: LEXICAL_JUDGE };

  it('that failed are asked and judged by the same call', async () => {
    const path = newPath();
    const first = await run(options(path, writer((question) => question.includes('b')).backend, more));
    expect(first.ledger).toMatchObject({ n: 3, failed_server: 1 });
    const { backend, asked } = writer(() => false);
    const second = await run(options(path, backend, more));
    expect([asked, second.status]).toEqual([['May I take b?'], 'complete']);
    expect(second.ledger).toMatchObject({ answered: 3 });
    expect(RunFile.use(path, (file) => [...file.judgements.read()].length)).toBe(3);
    expect(attemptsAt(path, 1)).toBe('b');
    const third = writer(() => false);
    await run(options(path, third.backend, more));
    expect(third.asked).toEqual([]);
  });
});
