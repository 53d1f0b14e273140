/** Whether an item of a rubric speaks for the answer, against it, or is not scored. A required item speaks for it only when it is present; a forbidden one speaks against it when it is. */
export function itemEffect({
  isScored,
  kind,
  verdict,
}: {
  readonly isScored: boolean;
  readonly kind: string;
  readonly verdict: string;
}): 'for' | 'against' | 'open' {
  if (!isScored) return 'open';
  return (kind === 'required') === (verdict === 'present') ? 'for' : 'against';
}
