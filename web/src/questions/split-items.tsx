import { whole } from '../../../src/viewer/browser.ts';
import type { QuestionsPayload } from '../api.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { words } from '../parts/words.ts';
import { buildHref } from '../router.ts';
import { answerKey } from './question-scores.ts';

/** More items would make the page slow; the filter of answers finds the others. */
const MAX_LISTED = 200;

/** Items on which the judges of a jury, two judges, or passes of one judge do not say the same. */
export function SplitItems({ payload }: { payload: QuestionsPayload }) {
  const { run, said, evaluation_results: answers, has_jury: hasJury, hides_text: hidesText } = payload;
  const byItem = Map.groupBy(said, (one) => JSON.stringify([one.id, one.repeat, one.item_id]));
  const split = [...byItem.values()].filter(
    (ofItem) => new Set(ofItem.flatMap(({ verdicts }) => verdicts)).size > 1,
  );
  if (split.length === 0) return null;
  return (
    <details className="panel">
      <summary>
        {split.length === 1 ? '1 item was' : `${whole(split.length)} items were`} judged differently
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="scroll" tabIndex={0} aria-label="Items judged differently">
        <table>
          <caption className="unseen">Items judged differently</caption>
          <thead>
            <tr>
              <th scope="col">question</th>
              <th scope="col">item</th>
              <th scope="col">verdicts</th>
              <th scope="col">scored as</th>
            </tr>
          </thead>
          <tbody>
            {split.slice(0, MAX_LISTED).map((ofItem) => {
              const [one] = ofItem;
              const answer = answers.find(({ id, repeat }) => id === one!.id && repeat === one!.repeat);
              const item = answer?.rubric.verdicts.find(({ id }) => id === one!.item_id);
              return (
                <tr key={`${answerKey(one!)} ${one!.item_id}`}>
                  <th scope="row">
                    <a href={buildHref('runs/:id/questions', { id: run.id, answer: answerKey(one!) })}>
                      <OutsideText text={one!.id} />
                    </a>
                  </th>
                  <td className="text">
                    {hidesText || item === undefined ? one!.item_id : <OutsideText text={item.instruction} />}
                  </td>
                  <td className="text">
                    {ofItem.map(({ judge, verdicts }) => (
                      <span key={judge} className="line">
                        <OutsideText text={judge} />: {verdicts.map(words).join(', then ')}
                      </span>
                    ))}
                  </td>
                  <td>{item === undefined ? '–' : words(item.verdict)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {split.length > MAX_LISTED && (
        <p className="quiet small">
          The first {MAX_LISTED} are listed; filter the answers by “judged differently” to find the others.
        </p>
      )}
      {hasJury && <p className="quiet small">The jury’s majority is scored.</p>}
    </details>
  );
}
