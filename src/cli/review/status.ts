import { Command } from '@commander-js/extra-typings';
import { plainLine } from '../../core/index.ts';
import { reviewStatus } from '../../review/index.ts';
import { findRun } from '../../store/index.ts';
import { readReview, reviewPath } from '../../store/review/index.ts';
import { print } from '../print.ts';
import { drawnText, MAX_SHOWN, targetWords } from './plan-text.ts';

/** `krisis review status`: how far a review is. */
export function statusCommand() {
  return new Command('status')
    .description('show the progress of a review')
    .argument('<run>', 'run file, part of its name, or latest')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', '\nExamples:\n  krisis review status latest\n')
    .action((run, { json }) => {
      const review = readReview(reviewPath(findRun(run)));
      const status = reviewStatus(review);
      const plans = review.plans.map((plan, i) => {
        const { n_labelled, n_drawn, n_begun, n_agreed, n_disputed, n_ruled } = status.plans[i]!;
        const draws = review.draws.filter((draw) => draw.plan === plan.id);
        return [
          drawnText(plan, draws).trimEnd(),
          `${n_labelled} of ${n_drawn} ${targetWords(plan.targets, n_drawn)} have all their labels, ${n_begun} one of two`,
          `${n_agreed} agreed, ${n_disputed} disputed, ${n_ruled} ruled on by a third person`,
        ].join('\n');
      });
      const raters = status.raters.map(
        ({ rater, name, n_labels }) =>
          `${rater}${name === null ? '' : ` (${plainLine(name, MAX_SHOWN)})`}: ${n_labels} labels`,
      );
      const notBlind =
        status.n_not_blind > 0
          ? [`${status.n_not_blind} labels were not blind: excluded from agreement and correction`]
          : [];
      const text = [...(plans.length === 0 ? ['no plan has been drawn yet'] : plans), ...notBlind, ...raters];
      print(json, status, `${text.join('\n')}\n`);
    });
}
