import { whole } from '../../../src/viewer/browser.ts';
import { words } from '../parts/words.ts';
import type { ItemScoresSummary, TraitScore } from './payload.ts';
import { ScoreCells } from './trait-table.tsx';

type Scores = Readonly<Record<string, TraitScore>>;

/** Scores by what items weigh: points, critical items, harm, contradictions; over all, by axis and by tag. */
export function ItemScores({ found }: { found: ItemScoresSummary }) {
  const scores: Scores = found.scores;
  if (Object.keys(scores).length === 0) return null;
  const weights = found.harm_weights.map(({ harm, n_items: n }) => `${harm} (${whole(n)})`);
  return (
    <section aria-labelledby="item-scores-title">
      <h2 id="item-scores-title">What the items weigh</h2>
      <ScoreTable caption="Scores over items" first="all items" groups={[{ name: 'all items', scores }]} />
      <p className="quiet small">
        The weighted score is the mean of the scores of questions, then clipped to 0 to 1.
        {weights.length > 0 && ` Weights of harm, with how many items have them: ${weights.join(', ')}.`}
      </p>
      {found.groups.length > 0 && (
        <details className="panel">
          <summary>By axis and tag</summary>
          <ScoreTable
            caption="Scores over items by group"
            first="group"
            groups={found.groups.map(({ by, name, scores: own }) => ({
              name: `${words(by)}: ${name}`,
              scores: own as Scores,
            }))}
          />
        </details>
      )}
    </section>
  );
}

interface TableProps {
  readonly caption: string;
  readonly first: string;
  readonly groups: readonly { readonly name: string; readonly scores: Scores }[];
}

function ScoreTable({ caption, first, groups }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="scroll" tabIndex={0} aria-label={caption}>
      <table className="traits">
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            <th scope="col">score</th>
            <th scope="col" className="number">
              value (interval)
            </th>
            <th scope="col" className="number">
              questions
            </th>
          </tr>
        </thead>
        {groups.map(({ name, scores }) => (
          <tbody key={name}>
            {Object.entries(scores).map(([score, own], i) => (
              <tr key={score}>
                <th scope="row">{i === 0 ? name : <span className="unseen">{name}</span>}</th>
                <td>{words(score.replace('.', ', '))}</td>
                <ScoreCells score={own} />
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}
