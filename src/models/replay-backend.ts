import { createHash } from 'node:crypto';
import { KrisisError } from '../core/errors.ts';
import type { EvaluationResult } from '../core/evaluation-result.ts';
import { readRows } from '../core/row-file.ts';
import type { Backend, BackendResponse } from './backend.ts';
import { ownError } from './backend-error.ts';
import { complete } from './define-backend.ts';

/**
 * Replays recorded answers: rows with an `id` in JSONL or JSON. A record that the file lacks, or that failed when it was recorded, fails with `not_recorded`.
 */
export async function replayBackend(path: string): Promise<Backend> {
  const answers = new Map<string, EvaluationResult>();
  const hash = createHash('sha256');
  await readRows(path, (row) => {
    if (row.id === null)
      throw new KrisisError(
        `${path}: a row has no id; replay needs one on every row, to find the record it belongs to`,
        { code: 'ERR_ROW_FILE' },
      );
    // Of repeated rows the first is replayed.
    if (!answers.has(row.id)) answers.set(row.id, row);
    hash.update(`${JSON.stringify(row)}\n`);
  });
  const recorded = (id: string, mode: 'single' | 'batch'): BackendResponse | null => {
    const row = answers.get(id);
    if (row === undefined || row.state === 'failed' || row.state === 'not_run') return null;
    const { prediction, abstained, confidence, urgent, state, stateReason } = row;
    return {
      ...complete({ prediction, abstained, confidence, urgent }, mode),
      ...(state === 'refused' ? { refused: true as const } : {}),
      ...(state === 'invalid' ? { invalid: stateReason ?? 'recorded as invalid' } : {}),
    };
  };
  const answersHash = hash.digest('hex');
  return {
    name: `replay/${path}`,
    // The same path with other answers is another model.
    parameters: { answers_hash: answersHash },
    async evaluate({ id }) {
      const response = recorded(id, 'single');
      if (response === null) throw ownError('not_recorded', `no recorded answer for ${id}`);
      return response;
    },
    async evaluateBatch(records) {
      const partial = records.map(({ id }) => recorded(id, 'batch'));
      const found = partial.filter((response) => response !== null);
      if (found.length === records.length) return found;
      throw ownError('not_recorded', `${records.length - found.length} records without a recorded answer`, {
        partial,
      });
    },
  };
}
