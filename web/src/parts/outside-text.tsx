import { visiblePieces } from '../../../src/viewer/browser.ts';

/** Text from a file, a model or a person, with marks for characters that reverse its direction or cannot be seen. Its direction does not leak into the text around it. */
export function OutsideText({ text }: { text: string }) {
  const pieces = visiblePieces(text);
  return (
    <bdi>
      {pieces.length === 1 && !pieces[0]!.isMark
        ? text
        : pieces.map((piece, i) =>
            piece.isMark ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, which keep their order
              <span key={i} className="hidden-character" title="a character that cannot be seen">
                {piece.text}
              </span>
            ) : (
              piece.text
            ),
          )}
    </bdi>
  );
}
