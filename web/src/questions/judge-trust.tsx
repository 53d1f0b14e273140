import { whole } from '../../../src/viewer/browser.ts';
import { number, words } from '../parts/words.ts';
import type { JudgeSummary, JurySummary } from './payload.ts';

/** How reliable the judge is: its agreement with itself, with other judges and with people. */
export function JudgeTrust({ judge, jury }: { judge: JudgeSummary; jury: JurySummary | null }) {
  const { n, ...classes } = judge.ledger;
  const verdicts = Object.entries(classes).filter(([, count]) => count > 0);
  return (
    <section aria-labelledby="judge-title">
      <h2 id="judge-title">Judge agreement</h2>
      <dl className="pairs compact">
        <div>
          <dt>judges</dt>
          <dd>{judge.names.join(', ') || 'none'}</dd>
        </div>
        <div>
          <dt>verdicts</dt>
          <dd>
            {verdicts.map(([name, count]) => `${words(name)} ${whole(count)}`).join(', ') || 'none'}; n ={' '}
            {whole(n)} items
          </dd>
        </div>
        {judge.reliability.map((found) => (
          <div key={found.judge}>
            <dt>{found.judge} with itself</dt>
            <dd>
              {found.agreement === null
                ? words(found.reason ?? 'unknown')
                : `agreement ${number(found.agreement)}, verdicts that flip ${number(found.flip_rate)}, Fleiss’ kappa ${number(found.fleiss_kappa)}; ${found.passes} passes, n = ${found.n_compared}`}
            </dd>
          </div>
        ))}
        {judge.between_judges.map((found) => (
          <div key={found.judges.join(' ')}>
            <dt>{found.judges.join(' and ')}</dt>
            <dd>
              {found.agreement === null
                ? words(found.reason ?? 'unknown')
                : `agreement ${number(found.agreement)}, kappa ${number(found.kappa)}; n = ${found.n_compared}`}
            </dd>
          </div>
        ))}
        <div>
          <dt>with people</dt>
          <dd>
            {judge.calibration === null
              ? `not checked against people: ${words(judge.calibration_reason ?? 'no labels')}`
              : `${judge.calibrated ? 'calibrated' : 'not calibrated'}; kappa ${number(judge.calibration.overall.kappa)}; n = ${judge.calibration.overall.n_compared}`}
          </dd>
        </div>
        {jury !== null && (
          <div>
            <dt>jury</dt>
            <dd>
              Krippendorff’s alpha {number(jury.agreement)}; splits on {whole(jury.split_items.length)} items.{' '}
              {jury.judges
                .map(
                  ({ name, dissent }) => `${name} differs from the others on ${number(dissent.dissent_rate)}`,
                )
                .join(', ')}
              . Differing is not being wrong.
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
