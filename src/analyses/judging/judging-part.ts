import { abstention, otherTraits, traits } from '../../runs/sections/traits.ts';
import type { ReportPart } from '../analysis.ts';
import { claims } from './claims-section.ts';
import { evidence } from './evidence-section.ts';
import { itemScores } from './item-scores-section.ts';
import { judge } from './judge-section.ts';
import { isJudged } from './judged-result.ts';
import { roles } from './roles-section.ts';

/** What answering and judging took. */
export const rolesPart: ReportPart = {
  appliesTo: 'text',
  sections: { judging: (run) => roles(run.extras) },
};

/** What judges say of answers in text. */
export const judgingPart: ReportPart = {
  appliesTo: 'text',
  sections: {
    headline: (run) => (isJudged(run) ? traits(run) : null),
    judging: (run, { isBrief }) =>
      isJudged(run)
        ? [
            itemScores(run),
            otherTraits(run),
            abstention(run),
            claims(run),
            run.judging.judge.judges.length === 0 && isBrief ? null : judge(run),
          ]
        : null,
    people: (run, { isBrief }) => (isJudged(run) && !isBrief ? evidence(run) : null),
  },
};
