import type { Domain } from '../domain.ts';
import type { CkdSuiteOptions } from './ckd-suite.ts';
import { FIVE_STAGES, G_CATEGORIES } from './equations/kdigo.ts';
import { CKD_EVIDENCE, CKD_REASONS } from './reasons.ts';
import { CKD_OPTIONS } from './suite-options.ts';

/** Chronic kidney disease. */
export const CKD: Domain = {
  name: 'ckd',
  tasks: {
    detection: 'is chronic kidney disease present? (present, absent)',
    staging: 'which GFR category to record for this person? (1 to 5, or with 3a and 3b)',
    progression: 'how did kidney function develop over dated visits? (stable, worsening, improving)',
  },
  shared: 'Tasks are drawn from the same generated people: their scores are not independent.',
  options: CKD_OPTIONS,
  async create(task, options) {
    const { CkdSuite } = await import('./ckd-suite.ts');
    return new CkdSuite({ ...options, task } as CkdSuiteOptions);
  },
  deferralReasons: CKD_REASONS,
  evidence: CKD_EVIDENCE,
  scales: [FIVE_STAGES, G_CATEGORIES],
  dataFile: {
    title: 'a UCI CKD file (CSV or ARFF)',
    endings: ['arff'],
    hasColumns: async (header) => (await import('./source/read-uci.ts')).hasUciColumns(header),
    check: async (path) => (await import('./source/read-uci.ts')).checkUciFile(path),
  },
};
