import { useSource } from '../data/source-context.ts';
import { buildHref } from '../router.ts';

/** The address of a case across all runs of a suite; null in an export, which has no such pages. */
export function useCaseHref(suite: string): ((record: string) => string) | null {
  const { live } = useSource();
  return live ? (record) => buildHref('suites/:suite/cases/:record', { suite, record }) : null;
}
