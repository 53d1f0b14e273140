import type { ReviewRating } from '../api.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { Said } from './history.tsx';

/** The labels that disagree, for the third person who rules. */
export function Ratings({ ratings = [] }: { ratings: readonly ReviewRating[] | undefined }) {
  if (ratings.length === 0) return null;
  return (
    <section className="desk-history">
      <h2>The labels that disagree</h2>
      <dl className="pairs">
        {ratings.toSorted(byRater).map((rating) => (
          <div key={rating.rater}>
            <dt>
              <OutsideText text={rating.rater} />
            </dt>
            <dd>
              <Said label={rating} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="quiet small">
        Your ruling is the reference for scores. Agreement is computed on the labels above.
      </p>
    </section>
  );
}

/** By pseudonym, so that the order does not say who came first. */
function byRater(a: ReviewRating, b: ReviewRating): number {
  return a.rater.localeCompare(b.rater, 'en', { numeric: true });
}
