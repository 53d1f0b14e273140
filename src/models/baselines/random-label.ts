import { createHash } from 'node:crypto';
import { argumentError } from '../../core/index.ts';
import { createRandom } from '../../statistics/index.ts';
import type { Task } from '../../suites/index.ts';
import type { BaselineRule } from './baseline-backend.ts';

/**
 * Answers each of the k labels with probability 1/k, which is also the confidence it states.
 *
 * The label of a record follows from the seed and the record's id (through SHA-256) and from nothing else, so that neither the
 * order of calls, nor batches, nor a resumed run can change it.
 *
 * @example
 * ```ts
 * const rule = randomLabel({ labels: ['yes', 'no', 'unclear', 'other'] }, 42);
 * rule({ id: 'a', features: {} }).confidence // => 0.25
 * rule({ id: 'a', features: {} }).prediction === rule({ id: 'a', features: { age: 61 } }).prediction // => true
 * ```
 */
export function randomLabel({ labels }: Pick<Task, 'labels'>, seed: number): BaselineRule {
  if (!Number.isInteger(seed)) {
    throw argumentError(`seed is ${seed}; expected a whole number`, seed);
  }
  return ({ id }) => {
    const digest = createHash('sha256').update(`${seed}\n${id}`).digest();
    const prediction = labels[createRandom(digest.readUInt32LE(0), 'randomLabel').integer(labels.length)]!;
    return {
      prediction,
      confidence: 1 / labels.length,
      says: `random (seed ${seed}): ${prediction}, one of ${labels.length} labels`,
    };
  };
}
