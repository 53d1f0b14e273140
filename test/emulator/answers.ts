import type { Asked, Label } from './asked.ts';
import { digest } from './chance.ts';

/** The fields in the order in which they are asked for: with reasoning and a reason, or without. */
export interface Answer {
  readonly id?: string;
  readonly reasoning?: string | null;
  readonly abstained: boolean;
  readonly prediction: Label | null;
  /** From 0.50 to 0.99, in hundredths. */
  readonly confidence: number;
  readonly reason?: string | null;
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

function answerTo(text: string, { labels, mayBeNull, reasons }: Asked, abstainShare: number): Answer {
  const bits = digest(text);
  const draw = (at: number) => Number.parseInt(bits.slice(at, at + 8), 16);
  const abstained = draw(8) / 2 ** 32 < abstainShare;
  const prediction = abstained && mayBeNull ? null : labels[draw(0) % labels.length]!;
  const confidence = (50 + (draw(16) % 50)) / 100;
  if (reasons === null) return { prediction, abstained, confidence };
  return {
    reasoning: draw(24) % 4 === 0 ? null : `The values point to {${bits.slice(0, 6)}}.`,
    abstained,
    prediction,
    confidence,
    reason: abstained ? reasons[draw(32) % reasons.length]! : null,
  };
}
