import { KrisisError, type Label } from '../core/index.ts';

/** Labels as typed: `true` and `false` are also the labels that tables write so. */
export function typedLabels(typed: readonly Label[]): readonly Label[] {
  return typed.flatMap((label) =>
    typeof label === 'string' && /^(true|false)$/i.test(label)
      ? [label, label.toLowerCase() === 'true']
      : [label],
  );
}

/** A label that no row has is a typing mistake, which would hide emergencies. `isKnown` says whether a row has it, `known` are some that rows have. */
export function checkActLabels(
  typed: readonly Label[],
  isKnown: (label: Label) => boolean,
  known: readonly Label[],
): void {
  const wrong = typed.find((label) => !typedLabels([label]).some(isKnown));
  if (wrong === undefined) return;
  throw new KrisisError(
    `act labels: no row has the label "${wrong}"; the labels are: ${known.slice(0, 12).join(', ')}`,
    { code: 'ERR_ACT_LABELS', value: wrong },
  );
}
