import { readAsked } from '../scripted-judge.ts';
import { propertyOf } from './asked.ts';
import { digest } from './chance.ts';
import type { Question } from './wire-format.ts';

/** What a model writes to an open question, or says as a judge; null where labels are asked for. */
export function textFor({ schema, system, text }: Question): { text: string; value: unknown } | null {
  if (schema !== null && propertyOf(schema, 'verdicts') !== null) {
    const value = judged(system, text);
    return { text: JSON.stringify(value), value };
  }
  if (schema !== null && propertyOf(schema, 'tp') !== null) {
    const value = { tp: ['Avoid ibuprofen'], fn: ['Names paracetamol'], fp: [], tn: [] };
    return { text: JSON.stringify(value), value };
  }
  if (schema !== null || text.includes('<case')) return null;
  const code = digest(text).slice(0, 8);
  return {
    text: `Answer ${code}. Avoid ibuprofen. Have your potassium checked. Ask your doctor when in doubt.`,
    value: null,
  };
}

/** Verdicts that depend on the answer and the instruction alone, whatever order they are asked in. */
function judged(system: string, user: string) {
  const { answer, items, traits } = readAsked({
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
  });
  const quote = answer.split('.')[0]!;
  return {
    verdicts: items.map(({ id, instruction }) => {
      const isPresent = Number.parseInt(digest(`${answer}${instruction}`).slice(0, 2), 16) < 160;
      return { id, verdict: isPresent ? 'present' : 'absent', quotes: isPresent ? [quote] : [] };
    }),
    traits: traits.map(({ name, value }) => ({ name, value: traitValue(value) })),
  };
}

function traitValue(values: string): boolean | number | string {
  const range = /number from (-?[\d.]+)/.exec(values);
  if (range) return Number(range[1]);
  const first = /one of "([^"]+)"/.exec(values);
  return first ? first[1]! : false;
}
