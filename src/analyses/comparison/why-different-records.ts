/**
 * Why runs do not have the same records, as a clause. Two versions or limits of one suite are not different suites.
 *
 * @param noun What the runs have in common otherwise: `records`, or `questions or rubrics`.
 */
export function whyDifferentRecords(
  runs: readonly { readonly suiteName: string; readonly suiteHash: string | null }[],
  noun = 'cases',
): string {
  const names = [...new Set(runs.map(({ suiteName }) => suiteName))];
  if (names.length > 1) return `the runs are of different suites (${names.join(', ')})`;
  if (runs.some(({ suiteHash }) => suiteHash === null))
    return `it is not known whether the runs have the same ${noun}`;
  return `the runs have different ${noun} of ${names[0]}`;
}
