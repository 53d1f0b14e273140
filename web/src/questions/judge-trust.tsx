import { calibratedText, whole } from '../../../src/viewer/browser.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { DASH, number, range, words } from '../parts/words.ts';
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
              : `${words(judge.status)}; kappa ${number(judge.calibration.overall.kappa)}; n = ${judge.calibration.overall.n_compared}`}
          </dd>
        </div>
        {Object.entries(judge.calibration?.by_trait ?? {}).map(
          ([trait, { status, sensitivity, specificity }]) => (
            <div key={trait}>
              <dt>
                with people on <OutsideText text={words(trait)} />
              </dt>
              <dd>
                calibrated: {calibratedText(statusOf(status))}; sensitivity {shareText(sensitivity)},
                specificity {shareText(specificity)}
              </dd>
            </div>
          ),
        )}
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

type AgainstPeople = NonNullable<JudgeSummary['calibration']>['by_trait'][string];

function shareText({ value, interval, n }: AgainstPeople['sensitivity']): string {
  return value === null
    ? DASH
    : `${number(value)}${interval === null ? '' : ` (${range(interval)})`}, n = ${whole(n)}`;
}

/** In the form that the report takes. */
function statusOf({ status, reasons, ...found }: AgainstPeople['status']) {
  return {
    status,
    reasons,
    nPresent: found.n_present,
    nNotPresent: found.n_not_present,
    nQuestions: found.n_questions,
    sensitivityLower: found.sensitivity_lower,
    specificityLower: found.specificity_lower,
  };
}
