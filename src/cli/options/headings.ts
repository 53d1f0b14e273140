/** The headings of options in a help text, in their order. What belongs under none of them comes last, under `Options:`. */
export const HEADINGS = {
  model: 'Model:',
  records: 'Records:',
  speed: 'Speed and cost:',
  bulk: 'Bulk jobs:',
  queue: 'Workers:',
  questions: 'Open questions:',
  review: 'Human review:',
  conditions: 'Conditions (gates):',
  statistics: 'Statistics:',
  output: 'Output:',
  other: 'Options:',
} as const;

const ORDER: readonly string[] = Object.values(HEADINGS);

/** Where a heading comes; one that is not in the list, such as that of a suite's own options, comes after the records. */
export function headingPosition(heading: string): number {
  const position = ORDER.indexOf(heading);
  return position < 0 ? ORDER.indexOf(HEADINGS.records) + 0.5 : position;
}
