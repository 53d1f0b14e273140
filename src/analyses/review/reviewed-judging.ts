import { abstention, otherTraits, traits } from '../../runs/sections/traits.ts';
import { defineRunAnalysis, type RunInput } from '../analysis.ts';
import { claims } from '../judging/claims-section.ts';
import { evidence } from '../judging/evidence-section.ts';
import { itemScores } from '../judging/item-scores-section.ts';
import { judge } from '../judging/judge-section.ts';
import { isJudged } from '../judging/judged-result.ts';
import { type Judging, judgingObject, judgingSchema } from '../judging/judging.ts';
import { traitScores } from '../judging/trait-scores.ts';
import { verdictsAnalysis, withReview } from '../judging/verdicts.ts';
import { answerWarnings, judgeWarnings } from '../judging/warnings.ts';
import { reviewAnalysis } from './analysis.ts';

/** What judges said of answers in text, and whether people's labels let it be relied on. */
export const judgingAnalysis = defineRunAnalysis({
  id: 'judging',
  appliesTo: 'text',
  field: 'judging',
  needs: ['verdicts', 'review'],
  schema: judgingSchema,
  compute: ({ need }: RunInput): Judging => {
    const verdicts = need(verdictsAnalysis)!;
    return { ...verdicts, judge: withReview(verdicts.judge, need(reviewAnalysis)?.items ?? null) };
  },
  object: judgingObject,
  scores: (judging, { ledger }) => traitScores(judging, ledger),
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
  warnings: (judging, run) => [...judgeWarnings(judging, run.backendName), ...answerWarnings(judging, run)],
});
