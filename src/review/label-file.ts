import { contentHash } from '../core/canonical-json.ts';
import { KrisisError } from '../core/errors.ts';
import { type HumanLabel, isNamedItem } from '../rubrics/calibration/human-labels.ts';
import type { ReviewEvent, ReviewRater } from '../store/review/review-schema.ts';
import { hashedTarget } from '../store/review/review-session.ts';
import type { ReviewFrame } from './frame.ts';

/** The name of a person who is not named in a file. */
const NOT_NAMED = 'not named in the file';
const GUIDELINE = 'file';

/**
 * Labels of a file (`parseHumanLabels`) as labels of a review. They are of the first answer to a question, and given without sight of the verdicts, as the format asks for. They belong to no plan; the probability
 * of being drawn is the one that the file states. The same file gives the same labels, by their ids.
 *
 * @throws KrisisError with the code `ERR_HUMAN_LABELS` where a label fits no item of the run.
 */
export function labelFileEvents(
  labels: readonly HumanLabel[],
  { units, runId }: ReviewFrame,
  findRater: (name: string) => ReviewRater,
  { where, at }: { readonly where: string; readonly at: string },
): ReviewEvent[] {
  const raters = new Map<string, ReviewRater>();
  return labels.map(({ questionId, item, verdict, rater = NOT_NAMED, inclusionProbability = null, line }) => {
    const unit = units.find(
      ({ recordId, repeat, itemId, line: own }) =>
        recordId === questionId && repeat === 0 && own !== null && isNamedItem({ id: itemId!, ...own }, item),
    );
    if (unit === undefined)
      throw new KrisisError(
        `${where}:${line}: the run has no such item of an answer to ${JSON.stringify(questionId)}`,
        {
          code: 'ERR_HUMAN_LABELS',
          value: line,
        },
      );
    const known = raters.get(rater) ?? findRater(rater);
    raters.set(rater, known);
    const said = { ...hashedTarget(unit), rater: known.id, verdict, inclusionProbability };
    return {
      ...said,
      id: `file-${contentHash({ ...said, runId }).slice(0, 32)}`,
      role: 'rater',
      label: null,
      urgent: null,
      probability: null,
      reason: null,
      note: null,
      blind: true,
      plan: null,
      stratum: null,
      guideline: GUIDELINE,
      supersedes: null,
      at,
      via: 'file',
    };
  });
}
