import type { MetricScore } from '../../metrics/index.ts';
import { words } from './trait-cells.ts';

/** What an abstention metric says, or why it says nothing; with what the two constant policies would have reached. */
export function abstentionNote({
  value,
  reason,
  reads,
  details,
  interval,
  intervalReason,
}: MetricScore): string {
  if (value === null) return `none: ${words(reason)}`;
  const trivial = details.trivial_policies as { never_defer: number; always_defer: number } | undefined;
  return [
    reads,
    ...(trivial
      ? [`(never deferring ${trivial.never_defer.toFixed(3)}, always ${trivial.always_defer.toFixed(3)})`]
      : []),
    ...(interval === null ? [`(no interval: ${words(intervalReason)})`] : []),
  ].join(' ');
}
