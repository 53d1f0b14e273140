import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PatientRecord } from '../src/core/patient-record.ts';
import type { ModelReply } from '../src/models/api/model-reply.ts';
import type { Backend, BackendResponse, BackendSettings, VisibleRecord } from '../src/models/backend.ts';
import { type Answer, complete } from '../src/models/define-backend.ts';
import type { NewRow } from '../src/store/rows.ts';
import { RunFile } from '../src/store/run-file.ts';
import { defineSuite, type SuiteDefinition } from '../src/suites/define-suite.ts';
import type { Task } from '../src/suites/task.ts';

/** Yes or no; the arm `hinted` adds a line to what is shown. */
export const task: Task = {
  id: 'demo/yes-no',
  labels: ['yes', 'no'],
  positiveLabel: 'yes',
  ordered: false,
  defaultArm: 'natural',
  arms: {
    natural: { instructions: 'Yes or no?' },
    hinted: { instructions: 'Yes or no? Mind the hint.', show: (features) => ({ ...features, hint: 'two' }) },
  },
  primaryEndpoint: { metric: 'accuracy', arm: 'natural', why: 'a demonstration' },
};

/** Records with one letter as id: `recordsOf('abc')`. The answer is `yes` for all of them. */
export function recordsOf(ids: Iterable<string>): PatientRecord[] {
  return [...ids].map((id) => ({ id, features: { value: id }, label: 'yes', metadata: {} }));
}

export function suiteOf(records: PatientRecord[], more: Partial<SuiteDefinition> = {}) {
  return defineSuite({ name: 'demo/yes-no', sensitivity: 'synthetic', task, load: () => records, ...more });
}

/** A run in memory that also shows the cases that were entered, by `repeat:id`. */
export function memoryRun(): RunFile & { readonly entered: Map<string, NewRow> } {
  const run = RunFile.inMemory();
  const entered = new Map<string, NewRow>();
  const { write } = run.rows;
  run.rows.write = (row, ...context) => {
    write.call(run.rows, row, ...context);
    entered.set(`${row.repeat}:${row.id}`, row);
  };
  return Object.assign(run, { entered });
}

export function response(answer: Partial<Answer> = {}): BackendResponse {
  return complete({ prediction: 'yes', abstained: false, ...answer }, 'batch');
}

/** A reply of a model as a provider sends it. */
export function modelReply(text: string): ModelReply {
  return {
    text,
    end: 'complete',
    refusal: null,
    usage: { inputTokens: null, outputTokens: null },
    modelId: null,
  };
}

/** What is asked in one call. */
export interface Asked {
  /** The ids, in one word. */
  readonly ids: string;
  readonly mode: 'single' | 'batch';
  /** How often these ids were asked in this mode, this time included. */
  readonly time: number;
  readonly records: readonly VisibleRecord[];
}

type Reply = readonly BackendResponse[];

/**
 * A backend that does what it is told, and writes down what it is asked: `calls` has `abc` for a batch of three and `(a)` for a single call.
 * Waits between retries are a hundredth of a second and less.
 */
export function scriptedBackend(
  script: (asked: Asked) => Reply | Promise<Reply>,
  settings: BackendSettings & { readonly name?: string } = {},
): Backend & { readonly calls: string[]; readonly seen: VisibleRecord[] } {
  const calls: string[] = [];
  const seen: VisibleRecord[] = [];
  const ask = async (records: readonly VisibleRecord[], mode: 'single' | 'batch'): Promise<Reply> => {
    const ids = records.map(({ id }) => id).join('');
    const call = mode === 'single' ? `(${ids})` : ids;
    calls.push(call);
    seen.push(...records);
    return script({ ids, mode, records, time: calls.filter((made) => made === call).length });
  };
  return {
    name: 'scripted',
    retryBaseSeconds: 0.001,
    ...settings,
    calls,
    seen,
    evaluate: async (record) => (await ask([record], 'single'))[0]!,
    evaluateBatch: async (records) => (await ask(records, 'batch')) as BackendResponse[],
  };
}

/** `yes` to everything asked. */
export function allYes({ ids }: Asked): Reply {
  return [...ids].map(() => response());
}

/** A folder of one's own; `remove` when done. */
export function temporaryFolder(): { path: string; file: (name: string) => string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'krisis-test-'));
  return {
    path,
    file: (name) => join(path, name),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
