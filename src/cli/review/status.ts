import { Command } from '@commander-js/extra-typings';
import { plainLine } from '../../core/index.ts';
import { reviewStatus } from '../../review/index.ts';
import { findRun } from '../../store/index.ts';
import { readReview, reviewPath } from '../../store/review/index.ts';
import { print } from '../print.ts';
import { drawnText, LONGEST_SHOWN } from './plan-text.ts';

/** `krisis review status`: how far a review is. */
export function statusCommand() {
  return new Command('status')
    .description('how far a review is')
    .argument('<run>', 'run file, part of its name, or latest')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExamples:\n  krisis review status latest\n')
    .action((run, { json }) => {
      const review = readReview(reviewPath(findRun(run)));
      const status = reviewStatus(review);
      const plan = review.plans.at(-1);
      const lines = [
        `${status.n_labelled} of ${status.n_drawn} drawn targets have all their labels, ${status.n_begun} a first one`,
        `${status.n_agreed} agreed, ${status.n_disputed} disputed, ${status.n_ruled} ruled on by a third person`,
        ...(status.n_suite_items > 0 ? [`${status.n_suite_items} remarks on records or rubric lines`] : []),
        ...(status.n_not_blind > 0
          ? [`${status.n_not_blind} labels were not blind: in no agreement and no correction`]
          : []),
        ...status.raters.map(
          ({ rater, name, n_labels }) =>
            `  ${rater}${name === null ? '' : ` (${plainLine(name, LONGEST_SHOWN)})`}: ${n_labels} labels`,
        ),
      ];
      const head = plan === undefined ? 'no plan was drawn yet\n' : drawnText(plan, review.draws);
      print(json, status, `${head}${lines.join('\n')}\n`);
    });
}
