import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonsToGive, rightReasons } from '../../core/deferral-reasons.ts';
import { type Label, sameLabel } from '../../core/label.ts';
import type { PatientRecord } from '../../core/patient-record.ts';
import { asksUrgency, isForced, type Task } from '../../suites/task.ts';
import type { Backend, BackendResponse, VisibleRecord } from '../backend.ts';
import { ownError } from '../backend-error.ts';
import { complete } from '../define-backend.ts';
import type { Personality } from './personality.ts';

/**
 * A simulated model for demonstrations, teaching, power studies and tests of the engine. It knows the answers and gets some of them wrong on purpose. Its answer to a
 * record depends only on the seed and the record, so runs are reproducible; reports always mark it as simulated.
 */
export function simulatedBackend(
  name: string,
  personality: Personality,
  records: Iterable<Pick<PatientRecord, 'id' | 'label' | 'metadata'>>,
  seed: number,
): Backend {
  const key = new Map<string, ReturnType<typeof readTruth>>();
  for (const record of records) key.set(record.id, readTruth(record));
  const triedOnce = new Set<string>();
  const chance = (what: string, id: string) => uniform(seed, what, id);

  const failSometimes = async (ids: readonly string[]): Promise<void> => {
    if (personality.latency_ms > 0) await sleep(personality.latency_ms);
    const question = ids.join();
    if (ids.some((id) => chance('poisoned', id) < personality.poisoned))
      throw ownError('server', 'simulated server error 500');
    if (chance('flaky', question) < personality.flaky && !triedOnce.has(question)) {
      triedOnce.add(question);
      throw ownError('network', 'simulated connection reset');
    }
  };

  return {
    name,
    simulated: true,
    asksUrgency: true,
    parameters: { ...personality, seed },
    retryBaseSeconds: 0.01,
    async evaluate(record, task) {
      await failSometimes([record.id]);
      return answer(record, task, 'single');
    },
    async evaluateBatch(records, task) {
      const ids = records.map(({ id }) => id);
      await failSometimes(ids);
      const answers = records.map((record) => answer(record, task, 'batch'));
      if (chance('malformed', ids.join()) >= personality.malformed) return answers;
      throw ownError('malformed', 'simulated reply that is not JSON', {
        partial: records.length === 1 ? [] : answers.map((given, i) => (i % 2 === 0 ? given : null)),
      });
    },
  };

  function answer({ id, features }: VisibleRecord, task: Task, mode: 'single' | 'batch'): BackendResponse {
    const { label, shouldAbstain, mustAct, reasons } = key.get(id) ?? UNKNOWN;
    const defers =
      !isForced(task) &&
      chance('defer', id) < (shouldAbstain ? personality.deferral_recall : personality.needless_deferral);
    const right = Math.min(
      0.995,
      Math.max(0.005, personality.accuracy + personality.spread * (chance('difficulty', id) - 0.5)),
    );
    const prediction =
      chance('right', id) < right && label !== null
        ? label
        : otherLabel(task.choices?.(features) ?? task.labels, label, chance('other', id));
    const { overconfidence } = personality;
    const stated = overconfidence >= 0 ? right + overconfidence * (1 - right) : right * (1 + overconfidence);
    const confidence = Math.round(stated * 20) / 20;
    const urgent = chance('urgent', id) < (mustAct ? personality.urgency_recall : personality.false_alarms);
    const said = {
      ...(asksUrgency(task) && { urgent }),
      prediction: defers ? null : prediction,
      abstained: defers,
      confidence: defers ? Math.min(confidence, 0.5) : confidence,
    };
    const deferralReason = defers ? reasonFor(reasons, task, chance('reason', id) < right) : null;
    return complete(
      {
        ...said,
        deferralReason,
        rawResponse: JSON.stringify({ ...said, reason: deferralReason }),
        ...(chance('refusal', id) < personality.refusal && { refused: true }),
        ...(chance('invalid', id) < personality.invalid && {
          invalid: 'simulated answer outside the schema',
        }),
      },
      mode,
    );
  }
}

/** What a right answer to a record depends on; the rest of the record is not kept. */
function readTruth({ label, metadata }: Pick<PatientRecord, 'label' | 'metadata'>) {
  return {
    label,
    shouldAbstain: metadata.should_abstain === true,
    mustAct: metadata.must_act === true,
    reasons: [metadata.should_abstain_reasons ?? []].flat().map(String),
  };
}

const UNKNOWN = readTruth({ label: null, metadata: {} });

/** A reason that is right for the record, as often as an answer would be; otherwise, and where none is known, the last of those offered. */
function reasonFor(reasons: readonly string[], task: Task, isRight: boolean): string {
  const offered = reasonsToGive(task);
  const right = isRight ? rightReasons(reasons, task.deferralReasons ?? {}) : null;
  return offered.find((reason) => right?.has(reason)) ?? offered.at(-1)!;
}

function otherLabel(labels: readonly Label[], truth: Label | null, draw: number): Label {
  const others = labels.filter((label) => truth === null || !sameLabel(label, truth));
  return others[Math.floor(draw * others.length)]!;
}

/** A number in [0, 1) that depends only on these three arguments. */
function uniform(seed: number, what: string, id: string): number {
  return createHash('sha256').update(`${seed}:${what}:${id}`).digest().readUInt32BE(0) / 2 ** 32;
}
