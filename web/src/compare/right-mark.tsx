/** Whether something counts as right, by a sign and a word, so that colour is never the only cue. */
export function RightMark({ right }: { right: boolean | null }) {
  const [kind, sign, text] =
    right === null
      ? (['open', '·', 'not scored'] as const)
      : right
        ? (['right', '✓', 'right'] as const)
        : (['wrong', '✗', 'wrong'] as const);
  return (
    <span className={`right-mark ${kind}`}>
      <span aria-hidden="true">{sign}</span>
      <span className="unseen">{text}</span>
    </span>
  );
}
