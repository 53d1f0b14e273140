import { counted } from '../../core/index.ts';
import { readText } from '../../rubrics/index.ts';
import type { CheckedFile } from './checked-file.ts';

/** Checks answers to open questions that were recorded elsewhere: JSONL of an id and an answer, for `krisis judge --answers`. */
export async function checkRecordedAnswers(path: string): Promise<CheckedFile> {
  const problems: string[] = [];
  const ids = new Set<string>();
  const lines = (await readText(path, 'recorded answers')).split('\n');
  lines.forEach((text, i) => {
    if (text.trim() === '') return;
    const { id, answer } = fieldsOf(text);
    if (typeof id !== 'string' || typeof answer !== 'string')
      problems.push(`line ${i + 1}: expected an object with an id and an answer, both text`);
    else if (ids.has(id)) problems.push(`line ${i + 1}: a second answer to "${id}"`);
    else ids.add(id);
  });
  return {
    kind: 'recorded_answers',
    problems,
    text: [
      `Recorded answers to open questions: ${counted(ids.size, 'answer')}. krisis judge --answers ${path} judges them.`,
    ],
    json: { rows: ids.size },
  };
}

function fieldsOf(text: string): { readonly id?: unknown; readonly answer?: unknown } {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found !== 'object' || found === null) return {};
    return 'question_id' in found ? { id: found.question_id, ...found } : found;
  } catch {
    return {};
  }
}
