import type { RunLine } from './api.ts';
import { buildHref } from './router.ts';

/** What differs between runs with labels and runs of open questions wherever runs are listed. */
export const RUN_KINDS: Readonly<Record<RunLine['kind'], RunKind>> = {
  labels: {
    page: 'runs/:id',
    pages: [
      ['Overview', 'runs/:id'],
      ['Cases', 'runs/:id/records'],
    ],
    records: 'Cases',
    noHeadline: 'none stored',
    name: null,
  },
  questions: {
    page: 'runs/:id/questions',
    pages: [['Answers and rubrics', 'runs/:id/questions']],
    records: 'Answers',
    noHeadline: 'by trait, in the run',
    name: 'open questions',
  },
};

interface RunKind {
  /** Where a link to the run leads. */
  readonly page: string;
  /** Its pages with their titles. */
  readonly pages: readonly (readonly [title: string, path: string])[];
  readonly records: string;
  /** Why an ended run has no headline. */
  readonly noHeadline: string;
  /** What a list calls the kind. */
  readonly name: string | null;
}

/** The link to the page of a run. */
export function buildRunHref({ kind, id }: Pick<RunLine, 'kind' | 'id'>): string {
  return buildHref(RUN_KINDS[kind].page, { id });
}
