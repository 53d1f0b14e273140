import type { ReactNode } from 'react';
import { correctionNote, whole } from '../../../src/viewer/browser.ts';
import type { RunPayload } from '../api.ts';
import { hrefOf } from '../router.ts';
import { OutsideText } from './outside-text.tsx';
import { DASH, number, range, share, signed, words } from './words.ts';

type Review = NonNullable<RunPayload['review']>;
type Items = NonNullable<Review['items']>;
type Records = NonNullable<Review['records']>;
type Urgencies = Records['urgency'];
type Panel = NonNullable<RunPayload['panel']>;
type Agreement = NonNullable<Items['agreement'][number]['people']>;

interface Interval {
  readonly lower: number | null;
  readonly upper: number | null;
}

/** What people say of a run: corrected scores, agreement, records found wrong, the panel. Nothing for a run that was not reviewed. */
export function HumanReview({
  run: { id },
  review,
  panel,
}: Pick<RunPayload, 'review' | 'panel'> & { run: Pick<RunPayload['run'], 'id'> }) {
  if (review === undefined && panel === undefined) return null;
  return (
    <section aria-labelledby="review-title">
      <h2 id="review-title">Human review</h2>
      {review?.items && <ItemReview items={review.items} />}
      {review?.records && <RecordReview records={review.records} runId={id} />}
      {review?.suite_items && (
        <p>
          The test itself: {whole(review.suite_items.right)} called right,{' '}
          {whole(review.suite_items.faults.length)} wrong or ambiguous
          {review.suite_items.faults.length > 0 && (
            <>
              {' '}
              (
              <OutsideText
                text={review.suite_items.faults
                  .map(({ record_id, state }) => `${record_id}: ${words(state)}`)
                  .join(', ')}
              />
              )
            </>
          )}
          . What one person says is a reason to look, not a finding.
        </p>
      )}
      {panel && <PanelAgreement panel={panel} />}
    </section>
  );
}

function ItemReview({ items }: { items: Items }) {
  const shown = items.corrected.filter(
    ({ name, corrected }) => corrected !== null || !name.endsWith('.mean'),
  );
  const same = items.agreement[0]?.same_items;
  const undecidable = items.agreement.filter(({ not_decidable }) => not_decidable);
  return (
    <>
      {items.is_transported ? (
        <p>
          The answers of this run have no labels. Scores are corrected by the error rates that the same judge
          had in another run: transported.
        </p>
      ) : (
        <LabelsInUse found={items} noun="items" />
      )}
      <Table
        caption="Scores corrected for the judge’s errors"
        columns={[
          'score',
          'as judged',
          'corrected',
          'labels',
          'questions',
          'raters',
          'lambda',
          'judge sensitivity',
          'judge specificity',
        ]}
        rows={shown.map(
          ({ label, raw, corrected, not_corrected, n_labels, n_questions, n_raters, ...found }) => [
            label,
            valueText(raw.value, raw.interval),
            corrected === null ? (
              <span key="why" className="quiet">
                not corrected: {not_corrected}
              </span>
            ) : (
              <CorrectedValue
                key="value"
                text={valueText(corrected.value, corrected)}
                note={correctionNote({ ...found, isCorrected: true })}
              />
            ),
            whole(n_labels),
            whole(n_questions),
            whole(n_raters),
            number(found.lambda),
            sharedText(found.sensitivity),
            sharedText(found.specificity),
          ],
        )}
      />
      {!items.is_transported && (
        <AgreementTable
          rows={items.agreement.flatMap(({ trait, people, judge }) => {
            const of = trait === null ? '' : `${words(trait)}: `;
            return [
              { name: `${of}people`, found: people },
              { name: `${of}judge and people`, found: judge },
            ];
          })}
          noun="items"
          positive="present"
        />
      )}
      {same?.kappa.difference != null && (
        <p>
          On the same {whole(same.n)} items kappa is {number(same.kappa.people)} between two people and{' '}
          {number(same.kappa.judge)} between the judge and one of them: difference{' '}
          {signed(same.kappa.difference)}
          {bracketed(same.kappa)}. A judge above the value of people has not beaten them.
        </p>
      )}
      {undecidable.length > 0 && (
        <p>
          <strong>Not decidable as written</strong>:{' '}
          {undecidable.map(({ trait }) => trait ?? 'all traits').join(', ')}. People agree too little on these
          items for any judge to be called calibrated on them.
        </p>
      )}
      {items.items_to_rewrite.length > 0 && (
        <Table
          caption="Items to rewrite: a fifth or more of their labels are unclear or in dispute"
          columns={['item', 'labels', 'unclear', 'in dispute']}
          rows={items.items_to_rewrite.map(({ trait, instruction, n_labels, n_unclear, n_disputed }) => [
            `${trait}: ${instruction}`,
            whole(n_labels),
            whole(n_unclear),
            whole(n_disputed),
          ])}
        />
      )}
    </>
  );
}

function CorrectedValue({ text, note }: { text: string; note: string | null }) {
  return (
    <>
      <strong>{text}</strong>
      {note !== null && <span className="quiet line">{note}</span>}
    </>
  );
}

function LabelsInUse({ found, noun }: { found: Items | Records; noun: string }) {
  const { used, unchecked, n: _, ...unused } = found.counts;
  const left = Object.entries(unused).filter(([, count]) => count > 0);
  const { plan } = found;
  return (
    <p>
      {whole(used)} labels of {whole(found.n_raters)} raters
      {(found.states.adjudicated ?? 0) > 0 && ', rulings included,'} in use
      {left.length > 0 && `; in no number: ${left.map(([why, n]) => `${whole(n)} ${words(why)}`).join(', ')}`}
      .{' '}
      {unchecked > 0 &&
        `Cannot check whether ${unchecked === used ? 'labels' : `${whole(unchecked)} of them`} are stale: the run file does not hold the texts. `}
      {plan === null
        ? used > 0
          ? 'Nothing is settled yet, so no estimate uses the labels.'
          : 'No label was drawn by a plan, so no estimate uses them.'
        : `Plan: ${words(plan.kind)}, ${whole(plan.n_drawn)} of ${whole(plan.frame_size)} ${noun} drawn, ${whole(plan.n_settled)} settled.`}
    </p>
  );
}

interface AgreementRow {
  readonly name: string;
  readonly found: Agreement | null;
}

function AgreementTable({
  caption = 'Agreement',
  rows,
  noun,
  positive,
}: {
  caption?: string;
  rows: readonly AgreementRow[];
  noun: string;
  positive: string;
}) {
  return (
    <Table
      caption={caption}
      columns={['agreement of', noun, 'kappa', 'AC1', 'alpha', `on “${positive}”`, 'on the rest']}
      rows={rows.map(({ name, found }) =>
        found === null
          ? [name, '0', DASH, DASH, DASH, DASH, DASH]
          : [
              name,
              whole(found.n),
              coefficient(found.kappa, found.is_few),
              coefficient(found.ac1, found.is_few),
              found.alpha === null ? DASH : coefficient(found.alpha, found.is_few),
              agreed(found.binary.positive_agreement, found.binary.yes_yes, found.binary),
              agreed(found.binary.negative_agreement, found.binary.no_no, found.binary),
            ],
      )}
    />
  );
}

/** Found wrong: the most that are listed. */
const MAX_WRONG = 100;

function RecordReview({ records, runId }: { records: Records; runId: string }) {
  const { model_right: right, model_right_by_suite: bySuite, found_wrong: wrong } = records;
  return (
    <>
      <LabelsInUse found={records} noun="records" />
      {right.value !== null && (
        <p>
          By what people decided, the model was right on {valueText(right.value, right)} of {whole(right.n)}{' '}
          rows; by the suite’s own labels on {number(bySuite.value)} of the same rows.
        </p>
      )}
      <AgreementTable
        rows={[
          { name: 'people', found: records.people },
          { name: 'people and the suite', found: records.suite },
        ]}
        noun="records"
        positive="defer"
      />
      {records.urgency.n_stated > 0 && <Emergencies urgency={records.urgency} runId={runId} />}
      {wrong.length > 0 && (
        <Table
          caption={`${whole(wrong.length)} ${wrong.length === 1 ? 'record' : 'records'} on which people disagree with the suite`}
          columns={['record', 'people', 'suite', 'state', 'raters']}
          linkTo={(record) => hrefOf('runs/:id/records', { id: runId, record })}
          rows={wrong
            .slice(0, MAX_WRONG)
            .map(({ record_id, people, suite, state, n_raters }) => [
              record_id,
              people,
              suite,
              words(state),
              whole(n_raters),
            ])}
        />
      )}
      {wrong.length > MAX_WRONG && (
        <p className="quiet">{whole(wrong.length - MAX_WRONG)} more are in the JSON report.</p>
      )}
    </>
  );
}

/** Which records people call emergencies, beside the suite and the model. */
function Emergencies({ urgency, runId }: { urgency: Urgencies; runId: string }) {
  const { missed, differing, people_reason: people, suite_reason: suite } = urgency;
  return (
    <>
      <AgreementTable
        caption="Agreement on emergencies"
        rows={[
          { name: 'people', found: urgency.people },
          { name: 'people and the suite', found: urgency.suite },
        ]}
        noun="records"
        positive="emergency"
      />
      <p className="small">
        Asked whether anything shown needs action today, people settled on {whole(urgency.n_settled)} of{' '}
        {whole(urgency.n_stated)} records; emergencies: {whole(urgency.n_emergencies)}.
        {` The model by this: ${rateText('missed emergencies', missed, urgency.missed_reason)}; ${rateText('false alarms', urgency.false_alarms, urgency.false_alarms_reason)}.`}
        {people !== null && ` No agreement of people: ${words(people)}.`}
        {suite !== null && ` No agreement with the suite: ${words(suite)}.`}
      </p>
      {differing.length > 0 && (
        <Table
          caption={`${whole(differing.length)} ${differing.length === 1 ? 'record' : 'records'} on which people and the suite differ about an emergency`}
          columns={['record', 'people', 'suite', 'state', 'raters']}
          linkTo={(record) => hrefOf('runs/:id/records', { id: runId, record })}
          rows={differing
            .slice(0, MAX_WRONG)
            .map((found) => [
              found.record_id,
              words(found.people),
              words(found.suite),
              words(found.state),
              whole(found.n_raters),
            ])}
        />
      )}
    </>
  );
}

function rateText(name: string, rate: Urgencies['missed'], reason: string | null): string {
  return rate.value === null
    ? `${name} ${DASH} (${words(reason ?? 'unknown')})`
    : `${name} ${valueText(rate.value, rate)} of ${whole(rate.n)} rows`;
}

function PanelAgreement({ panel }: { panel: Panel }) {
  const { model, panel: own, difference } = panel;
  return (
    <>
      <h3>Against the panel</h3>
      <p>
        Agreement with the panel: <strong>{valueText(model.value, model)}</strong> over {whole(model.n)}{' '}
        records, {whole(panel.n_raters)} raters. The panel’s own, each rater against the others:{' '}
        {valueText(own.value, own)}. Model minus panel on the same records: {signed(difference.value)}
        {bracketed(difference)}. No two raters agree on {share(panel.n_split, panel.n_records)} of the
        records.
        {panel.urgency !== null &&
          ` Emergencies: the panel’s own agreement is ${valueText(panel.urgency.panel.value, panel.urgency.panel)}, with the suite’s marks ${valueText(panel.urgency.suite.value, panel.urgency.suite)}.`}
      </p>
    </>
  );
}

/** A table in which the first cell of a row is its heading. */
function Table({
  caption,
  columns,
  rows,
  linkTo,
}: {
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly [string, ...ReactNode[]])[];
  /** Where the heading of a row leads. Default: nowhere. */
  linkTo?: (first: string) => string;
}) {
  return (
    <>
      <h3>{caption}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="scroll review-table" tabIndex={0} aria-label={caption}>
        <table className="traits">
          <caption className="unseen">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([first, ...cells]) => (
              <tr key={first}>
                <th scope="row">
                  {linkTo === undefined ? (
                    <OutsideText text={first} />
                  ) : (
                    <a href={linkTo(first)}>
                      <OutsideText text={first} />
                    </a>
                  )}
                </th>
                {cells.map((cell, i) => (
                  <td key={columns[i + 1]}>
                    {typeof cell === 'string' ? <OutsideText text={cell} /> : cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** A coefficient; an interval over few questions says so. */
function coefficient({ value, ...interval }: Agreement['kappa'], isFew: boolean): string {
  return `${valueText(value, interval)}${isFew && interval.lower !== null ? ' few' : ''}`;
}

function agreed(
  value: number | null,
  both: number,
  { yes_no, no_yes }: Pick<Agreement['binary'], 'yes_no' | 'no_yes'>,
): string {
  return value === null ? DASH : `${number(value)} (${2 * both}/${2 * both + yes_no + no_yes})`;
}

function valueText(value: number | null, interval: Interval | null): string {
  return `${number(value)}${bracketed(interval)}`;
}

function sharedText(share: Interval & { readonly value: number | null; readonly n: number }): string {
  return share.value === null ? DASH : `${valueText(share.value, share)}, n\u00a0=\u00a0${whole(share.n)}`;
}

function bracketed(interval: Interval | null): string {
  const { lower, upper } = interval ?? { lower: null, upper: null };
  return lower === null || upper === null ? '' : ` (${range({ lower, upper })})`;
}
