import type { RunStatus } from '../src/core/states.ts';
import { readRun } from '../src/runs/read-run.ts';
import { storeReport } from '../src/runs/report.ts';
import type { CallOutcome } from '../src/store/call.ts';
import type { NewRow } from '../src/store/rows.ts';
import { RunFile } from '../src/store/run-file.ts';
import type { Sensitivity } from '../src/suites/suite.ts';
import { type AppFiles, appFile } from '../src/viewer/app-files.ts';

export const HOSTILE =
  '<script>alert(1)</script> </script><img src=x onerror=alert(2)> \u001b[31m \u2028 **x** "q"';

interface WrittenRun {
  readonly model?: string;
  readonly sensitivity?: Sensitivity;
  readonly suiteHash?: string | null;
  readonly status?: RunStatus;
  readonly n?: number;
  readonly idOf?: (i: number) => string;
  /** Answers whose number is a multiple of this are wrong. Default: 4. */
  readonly wrongEvery?: number;
  /** Whether some cases are emergencies and the model is asked about urgency. Default: false. */
  readonly asksUrgency?: boolean;
}

/** Whether record i is an emergency. */
function mustAct(i: number): boolean | null {
  return i % 8 === 1 ? true : i % 8 === 2 ? null : false;
}

/** Whether the model calls record i urgent: it misses some emergencies, and raises some false alarms. */
function saysUrgent(i: number): boolean {
  return i % 16 === 1 || i % 20 === 4;
}

/** Rows of every class (right, wrong, abstained, invalid, refused, failed, not run), with labels in several spellings and two repeats. */
export async function writeRun(path: string, options: WrittenRun = {}): Promise<string> {
  const { n = 60, wrongEvery = 4, suiteHash = 'ab'.repeat(32), sensitivity = 'public' } = options;
  const { idOf = (i: number) => `r${i}`, asksUrgency = false } = options;
  const file = RunFile.write(path);
  file.setManifest({
    identity: { suiteHash: suiteHash, repeats: 2 },
    model: options.model ?? 'unit/model',
    suiteName: 'unit/suite',
    task: {
      id: 'unit/task',
      labels: ['yes', 'no'],
      positiveLabel: 'yes',
      ordered: false,
      pack: 'detection',
      ...(asksUrgency && { urgencyAsked: true }),
    },
    primaryEndpoint: { metric: 'accuracy', arm: 'natural', why: 'it is simple' },
    sensitivity,
    createdAt: '2026-03-01T12:00:00.000Z',
    status: options.status ?? 'complete',
    krisisVersion: '0.1.0',
  });
  file.records.enter(
    Array.from({ length: n }, (_, i) => [
      i,
      {
        id: idOf(i),
        label: i % 11 === 10 ? null : i % 2 === 0 ? 'yes' : 'no',
        metadata: {
          should_abstain: i % 11 === 10 ? true : i % 5 === 0 ? null : i % 3 === 0,
          ...(asksUrgency && {
            must_act: mustAct(i),
            must_act_reasons: mustAct(i) ? ['potassium_6.5_or_more'] : [],
            // An emergency is never to be deferred, with a label or without.
            ...(mustAct(i) !== false && { should_abstain: i % 3 === 0 || i % 11 === 10 ? null : false }),
          }),
          should_abstain_reasons: i % 3 === 0 ? ['near_threshold', `Ä%_${i % 2}`] : [],
          ...(i % 7 !== 0 && { ckd_stage: 1 + (i % 5) }),
          sex: i % 2 === 0 ? 'female' : 'male',
          site: `site ${i % 3}`,
          number: i,
          __proto: 'x',
        },
        features: { note: HOSTILE, value: i },
      },
    ]),
    sensitivity !== 'protected',
  );
  for (let repeat = 0; repeat < 2; repeat++) {
    for (let i = 0; i < n; i++)
      if (i % 13 !== 12) await answer(file, { i, id: idOf(i), repeat, wrongEvery, asksUrgency });
  }
  if (options.status !== 'running') file.seal({ scoresHash: null, krisisVersion: null });
  file.close();
  return path;
}

interface Asked {
  readonly i: number;
  readonly id: string;
  readonly repeat: number;
  readonly wrongEvery: number;
  readonly asksUrgency: boolean;
}

async function answer(file: RunFile, asked: Asked): Promise<void> {
  const { i, id: recordId, repeat } = asked;
  const intent = { key: `${repeat}:${i}`, mode: 'single' as const, repeat, recordIds: [recordId] };
  if (i === 3) {
    const first = await file.calls.begin({ ...intent, attempt: 0 });
    file.calls.end(first, { ...came('retry'), error: 'rate_limit: slow down' }, []);
  }
  const id = await file.calls.begin({ ...intent, attempt: i === 3 ? 1 : 0 });
  file.calls.end(id, came('answered'), [rowOf(asked)]);
}

/** A finished call. */
export function came(outcome: 'answered' | 'retry'): CallOutcome {
  return {
    outcome,
    error: null,
    inputTokens: 10,
    outputTokens: 5,
    wastedTokens: 0,
    latencySeconds: 0.5,
    modelId: null,
    costUsd: 0.001,
    rawResponse: null,
    cachedAt: null,
  };
}

function rowOf({ i, id, repeat, wrongEvery, asksUrgency }: Asked): NewRow {
  const state =
    i % 6 === 5
      ? 'abstained'
      : i % 17 === 7
        ? 'invalid'
        : i % 19 === 8
          ? 'refused'
          : i % 23 === 9
            ? 'failed'
            : 'answered';
  const right = i % 2 === 0 ? 'YES ' : 'no';
  const said = i % wrongEvery === 0 ? (i % 2 === 0 ? 'no' : 'yes') : right;
  return {
    id,
    repeat,
    state,
    stateReason: state === 'failed' ? 'timeout' : null,
    prediction: state === 'answered' ? said : state === 'invalid' ? HOSTILE : null,
    abstained: state === 'abstained',
    ...(asksUrgency && (state === 'answered' || state === 'abstained') && { urgent: saysUrgent(i) }),
    deferralReason: state === 'abstained' ? 'data_missing' : null,
    confidence: i % 9 === 4 ? null : i % 31 === 6 ? 1.5 : (i % 21) / 20,
    confidenceSource: 'stated',
    rawResponse: HOSTILE,
    prompt: [{ role: 'user', content: '{{patient_data}}' }],
    promptMode: 'single',
    inputTokens: 10,
    outputTokens: 5,
    totalTokens: 15,
    tokensEstimated: false,
    repaired: false,
  };
}

/** Stores what the end of a run stores: how it went, its report and a seal. */
export function endRun(path: string): void {
  const result = readRun(path);
  result.close();
  const file = RunFile.write(path);
  file.setManifest({ extras: result.extras });
  storeReport(file, result);
  file.seal({ scoresHash: null, krisisVersion: null });
  file.close();
}

const file = (type: string, text: string) => appFile(type, Buffer.from(text));

/** An app small enough to read. */
/** The token of servers in tests, and headers of a request to one on port 7171. */
export const TOKEN = 'token-of-the-tests-0123456789';
export const HEADERS = { host: 'localhost:7171', authorization: `Bearer ${TOKEN}` };

export const APP: AppFiles = new Map([
  [
    'index.html',
    file(
      'text/html; charset=utf-8',
      '<!doctype html><head><script type="module" crossorigin src="./assets/app.js"></script></head><body></body>',
    ),
  ],
  ['assets/app.js', file('text/javascript; charset=utf-8', 'globalThis.started = true;')],
]);
