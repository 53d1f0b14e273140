import type { VerifiedQuote } from '../rubrics/verdict.ts';

/** What is needed of an item to mark its quotes: its number in the list of instructions. */
interface QuotingItem {
  readonly number: number;
  readonly quotes: readonly VerifiedQuote[];
}

/** A piece of an answer, the items that quote it, and those whose quote begins or ends with it. */
interface AnswerPiece<Item> {
  readonly text: string;
  readonly items: readonly Item[];
  readonly starts: readonly Item[];
  readonly ends: readonly Item[];
}

/**
 * An answer cut wherever a quote begins or ends, so that quotes may overlap: a piece can belong to several. Quotes that are not found in the answer are in no piece.
 *
 * @example
 * ```ts
 * const quote = (start, end) => [{ text: '', start, end }];
 * const items = [{ number: 1, class: 'present', quotes: quote(0, 4) }, { number: 2, class: 'present', quotes: quote(2, 6) }];
 * markedAnswer('abcdefgh', items).map(({ text, items }) => [text, ...items.map(({ number }) => number)])
 * // => [['ab', 1], ['cd', 1, 2], ['ef', 2], ['gh']]
 * ```
 */
export function markedAnswer<Item extends QuotingItem>(
  answer: string,
  items: readonly Item[],
): AnswerPiece<Item>[] {
  const places = items.flatMap((item) =>
    item.quotes.flatMap(({ start, end }) =>
      start !== null && end !== null && 0 <= start && start < end && end <= answer.length
        ? [{ start, end, item }]
        : [],
    ),
  );
  const cuts = [...new Set([0, answer.length, ...places.flatMap(({ start, end }) => [start, end])])].sort(
    (a, b) => a - b,
  );
  return cuts.slice(0, -1).map((start, i) => {
    const end = cuts[i + 1]!;
    return {
      text: answer.slice(start, end),
      items: unique(places.filter((place) => place.start <= start && end <= place.end)),
      starts: unique(places.filter((place) => place.start === start)),
      ends: unique(places.filter((place) => place.end === end)),
    };
  });
}

/**
 * The same where only text can be written: a quote begins with `[1>` and ends with `<1 present]`, 1 the number of its instruction. `written` makes each part safe where it is written.
 *
 * @example
 * ```ts
 * markedText('No salt.', [{ number: 1, class: 'present', quotes: [{ text: 'salt', start: 3, end: 7 }] }]) // => 'No [1>salt<1 present].'
 * ```
 */
export function markedText(
  answer: string,
  items: readonly (QuotingItem & { readonly class: string })[],
  written: (text: string) => string = (text) => text,
): string {
  return markedAnswer(answer, items)
    .map(({ text, starts, ends }) => {
      const opening = starts.map(({ number }) => `[${number}>`).join('');
      const closing = ends.map((item) => `<${item.number} ${item.class.replaceAll('_', ' ')}]`).join('');
      return `${written(opening)}${written(text)}${written(closing)}`;
    })
    .join('');
}

/** What is shown for an answer without text. A run of protected questions stores neither question nor answer. */
export function noAnswerText(question: string | null): string {
  return question === null ? 'no text: the data are protected' : 'no answer';
}

function unique<Item extends QuotingItem>(places: readonly { readonly item: Item }[]): Item[] {
  return [...new Map(places.map(({ item }) => [item.number, item])).values()];
}
