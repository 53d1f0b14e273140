/** The pages of the site by section, in reading order: names of files in `docs`. Every page is in one section; a test checks it. */
export const SECTIONS: readonly { readonly title: string; readonly pages: readonly string[] }[] = [
  {
    title: 'Start',
    pages: ['tutorial', 'tutorial-questions', 'tutorial-gate', 'core-concepts', 'faq', 'from-python'],
  },
  {
    title: 'Data',
    pages: ['rows', 'other-tools', 'your-own-data', 'privacy'],
  },
  {
    title: 'Run',
    pages: ['running', 'providers', 'bulk', 'scaling', 'own-backends', 'config-trust'],
  },
  {
    title: 'Decide',
    pages: [
      'planning',
      'comparing',
      'gating',
      'early-stopping',
      'threshold',
      'confidence-sources',
      'drift',
      'verify',
    ],
  },
  {
    title: 'Open questions and people',
    pages: [
      'open-questions',
      'rubrics',
      'judging',
      'healthbench',
      'review',
      'review-page',
      'corrected-scores',
    ],
  },
  {
    title: 'Report',
    pages: ['reports', 'tidy-files', 'viewer', 'reporting-a-study'],
  },
  {
    title: 'Suites',
    pages: ['ckd', 'diabetes', 'hypertension', 'add-a-domain'],
  },
  {
    title: 'Reference',
    pages: [
      'command-line',
      'command-reference',
      'configuration',
      'metrics',
      'errors',
      'glossary',
      'promises',
    ],
  },
];
