import type { Domain } from '../domain.ts';
import { isNhanesHeader } from './nhanes-columns.ts';
import type { SurveyPeople } from './read-nhanes.ts';

/** NHANES files as the data file of a domain, for its one task that can use them. */
export function nhanesFile(task: string, read: (paths: string) => Promise<SurveyPeople<unknown>>) {
  return {
    title: 'NHANES files (CSV or XPT)',
    endings: ['xpt'],
    hasColumns: async (header) => isNhanesHeader(header),
    check: async (path) => (await import('./read-nhanes.ts')).checkNhanes(path, task, read),
  } satisfies Domain['dataFile'];
}
