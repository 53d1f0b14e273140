import type { ReactNode } from 'react';
import type { RunLine } from './api.ts';
import { CasePage } from './cases/case-page.tsx';
import { ComparePage } from './compare/compare-page.tsx';
import { QuestionsPage } from './questions/questions-page.tsx';
import { RecordsPage } from './records/records-page.tsx';
import { ReviewPage } from './review/review-page.tsx';
import { RunPage } from './run/run-page.tsx';
import { DifferencesPage } from './runs/differences-page.tsx';
import { RunsPage } from './runs/runs-page.tsx';
import { SearchPage } from './runs/search-page.tsx';
import { SuitePage } from './suites/suite-page.tsx';

export interface PageEntry {
  /** Behind the #: `runs/:id`. */
  readonly path: string;
  /** Its name in the navigation at the top. Default: it is not there. */
  readonly nav?: string;
  /** Its tab on the pages of a run. Default: it has none. */
  readonly tab?: { readonly title: string; readonly kind: RunLine['kind'] };
  readonly page: (params: Readonly<Record<string, string>>, query: URLSearchParams) => ReactNode;
}

/** Every page. A new one is an entry here, a file of its own and, on the server's side, an entry in `src/viewer/addresses.ts`. */
export const PAGES: readonly PageEntry[] = [
  { path: '', nav: 'Runs', page: (_, query) => <RunsPage query={query} /> },
  {
    path: 'compare',
    nav: 'Compare',
    page: (_, query) => <ComparePage query={query} />,
  },
  {
    path: 'suites/:suite',
    page: ({ suite }, query) => <SuitePage key={suite} suite={suite!} query={query} />,
  },
  {
    path: 'search',
    page: (_, query) => <SearchPage key={query.get('text')} text={query.get('text') ?? ''} />,
  },
  { path: 'differences', page: (_, query) => <DifferencesPage runs={query.getAll('runs')} /> },
  {
    path: 'suites/:suite/cases/:record',
    page: ({ suite, record }) => <CasePage key={`${suite} ${record}`} suite={suite!} record={record!} />,
  },
  {
    path: 'runs/:id',
    tab: { title: 'Overview', kind: 'labels' },
    page: ({ id }, query) => <RunPage key={id} id={id!} query={query} />,
  },
  {
    path: 'runs/:id/records',
    tab: { title: 'Cases', kind: 'labels' },
    page: ({ id }, query) => <RecordsPage key={id} id={id!} query={query} />,
  },
  {
    path: 'runs/:id/questions',
    tab: { title: 'Answers and rubrics', kind: 'questions' },
    page: ({ id }, query) => <QuestionsPage key={id} id={id!} query={query} />,
  },
  // The server knows the run and the reviewer by the token; the name is for the one who reads the address.
  { path: 'review', page: () => <ReviewPage /> },
  { path: 'review/:run', page: () => <ReviewPage /> },
];
