import type { Asked, Label } from './asked.ts';
import { digest } from './chance.ts';

export interface Answer {
  readonly id?: string;
  readonly prediction: Label | null;
  readonly abstained: boolean;
  /** From 0.50 to 0.99, in hundredths. */
  readonly confidence: number;
}

export type AnswerValue = Answer | { readonly results: readonly Answer[] };

/** The right reply to what is asked: a case gets the same answer alone, in any batch and in any provider's form. */
export function answersTo(asked: Asked, abstainShare: number): AnswerValue {
  const answers = asked.cases.map(({ id, text }) => ({
    ...(id !== null && { id }),
    ...answerTo(text, asked, abstainShare),
  }));
  return asked.batch ? { results: answers } : answers[0]!;
}

function answerTo(text: string, { labels, mayBeNull }: Asked, abstainShare: number): Answer {
  const bits = digest(text);
  const draw = (at: number) => Number.parseInt(bits.slice(at, at + 8), 16);
  const abstained = draw(8) / 2 ** 32 < abstainShare;
  return {
    prediction: abstained && mayBeNull ? null : labels[draw(0) % labels.length]!,
    abstained,
    confidence: (50 + (draw(16) % 50)) / 100,
  };
}
