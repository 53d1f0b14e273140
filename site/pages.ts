export interface Section {
  readonly title: string;
  readonly pages: readonly string[];
}

/** The pages of the site by kind, in reading order: names of files in `docs`, without their ending. Every page is in one section; a test checks it. */
export const SECTIONS: readonly Section[] = [
  { title: 'Tutorials', pages: ['install', 'tutorial', 'tutorial-questions', 'tutorial-gate'] },
  {
    title: 'Your data',
    pages: ['rows', 'other-tools', 'your-own-data', 'own-prompt', 'tidy-files'],
  },
  {
    title: 'Run models',
    pages: ['providers', 'gpu-server', 'privacy', 'scaling', 'own-backends', 'add-a-domain'],
  },
  {
    title: 'Decide',
    pages: ['planning', 'comparing', 'gating', 'early-stopping', 'threshold', 'drift'],
  },
  {
    title: 'Open questions and people',
    pages: ['open-questions', 'rubrics', 'judging', 'review', 'review-page', 'healthbench'],
  },
  { title: 'Report', pages: ['reporting-a-study', 'reports', 'viewer', 'verify', 'faq'] },
  {
    title: 'Explanation',
    pages: [
      'core-concepts',
      'running',
      'replies',
      'intervals',
      'gate-statistics',
      'corrected-scores',
      'threat-model',
    ],
  },
  { title: 'Suites', pages: ['ckd', 'diabetes', 'hypertension', 'open-clinical'] },
  {
    title: 'Reference',
    pages: [
      'glossary',
      'metrics',
      'command-reference',
      'configuration',
      'suite-cards',
      'suite-keys',
      'provider-list',
      'json-output',
      'errors',
      'promises',
    ],
  },
  {
    title: 'Developers',
    pages: [
      'dev/README',
      'dev/walk',
      'dev/names',
      'dev/add-a-domain',
      'dev/add-a-field',
      'dev/add-a-metric',
      'dev/add-an-analysis',
      'dev/add-a-section',
    ],
  },
];

/** Sections of the sidebar that stand under one heading: what to do, step by step. */
export const HOW_TO = ['Your data', 'Run models', 'Decide', 'Open questions and people', 'Report'];

/** The address of a page: an index is its folder, and addresses are in lower case. */
export function slug(name: string): string {
  return name.replace(/(^|\/)README$/, '').toLowerCase();
}
