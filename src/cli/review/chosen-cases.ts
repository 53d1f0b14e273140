import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { KrisisError } from '../../core/errors.ts';
import type { ChosenCase } from '../../review/plan.ts';

/** Larger than any list that people could review. */
const MAX_CASES = 100_000;
const line = z.object({ id: z.string().min(1), repeat: z.int().min(0).default(0) });

/**
 * Reads the list of cases that the viewer saves as JSON lines: of each line `id` and `repeat` count.
 *
 * @throws KrisisError with the code `ERR_REVIEW_PLAN` for a file without cases, or with a line that names none.
 */
export function readChosenCases(path: string): ChosenCase[] {
  const problem = (what: string) =>
    new KrisisError(`${path}: ${what}; save the list as JSONL in krisis view, under Review or Download`, {
      code: 'ERR_REVIEW_PLAN',
      value: path,
    });
  const lines = readFileSync(path, 'utf8').split(/\r?\n/);
  const cases = lines.flatMap((text, i) => {
    if (text.trim() === '') return [];
    const found = line.safeParse(parsed(text));
    if (!found.success) throw problem(`line ${i + 1} names no case; expected {"id": "...", "repeat": 0}`);
    return [{ id: found.data.id, repeat: found.data.repeat }];
  });
  if (cases.length === 0) throw problem('has no cases');
  if (cases.length > MAX_CASES) throw problem(`has ${cases.length} cases; expected at most ${MAX_CASES}`);
  return cases;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
