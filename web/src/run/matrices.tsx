import { type Figures, whole } from '../../../src/viewer/browser.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { share } from '../parts/words.ts';
import { type ChartedRun, cellHref } from './chart-links.ts';

/** The last two columns, `abstained` and `invalid`, are not answers, so they are set apart. */
const APART = 2;
const SHADES = 10;

interface CellProps {
  readonly count: number;
  readonly of: number;
  readonly kind: 'hit' | 'miss' | 'aside';
  readonly href: string | null;
  readonly label: string;
  readonly apart?: boolean;
}

/** A count, its share of the row, and a link to its records. */
function Cell({ count, of, kind, href, label, apart = false }: CellProps) {
  const shade = of === 0 ? 0 : Math.round((count / of) * SHADES);
  const className = [
    shade > 0 ? `${kind}-${shade}` : '',
    kind === 'hit' ? 'right' : '',
    apart ? 'apart' : '',
  ].join(' ');
  if (count === 0) {
    return (
      <td className={className}>
        <span className="quiet">0</span>
      </td>
    );
  }
  const content = (
    <>
      {whole(count)}
      <span className="line">{share(count, of)}</span>
    </>
  );
  return (
    <td className={className}>
      {href === null ? (
        content
      ) : (
        <a href={href} title="List these records">
          <span className="unseen">
            <OutsideText text={label} />:{' '}
          </span>
          {content}
        </a>
      )}
    </td>
  );
}

export function ConfusionMatrix({ run }: { run: ChartedRun }) {
  const { truths, answers, counts } = run.figures.confusion;
  const firstApart = answers.length - APART;
  return (
    <figure>
      <h3>Confusion matrix</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="scroll" tabIndex={0} aria-label="Confusion matrix">
        <table className="matrix">
          <caption className="unseen">Truth (rows) by answer (columns)</caption>
          <thead>
            <tr>
              <th scope="col">truth ╲ answer</th>
              {answers.map((answer, column) => (
                <th key={answer} scope="col" className={column === firstApart ? 'apart' : undefined}>
                  <OutsideText text={answer} />
                </th>
              ))}
              <th scope="col" className="apart">
                rows
              </th>
            </tr>
          </thead>
          <tbody>
            {truths.map((truth, r) => {
              const row = counts[r]!;
              const total = row.reduce((sum, count) => sum + count, 0);
              const derivable = truth !== 'null' || answers.includes('null');
              const name = derivable ? truth : 'no derivable answer';
              return (
                <tr key={truth}>
                  <th scope="row">
                    <OutsideText text={name} />
                  </th>
                  {answers.map((answer, column) => {
                    const isApart = column >= firstApart;
                    const right = !isApart && derivable && truth === answer;
                    return (
                      <Cell
                        key={answer}
                        count={row[column]!}
                        of={total}
                        kind={isApart ? 'aside' : right ? 'hit' : 'miss'}
                        href={cellHref(run, truth, answer, isApart ? 'apart' : 'answer')}
                        label={`Truth ${name}, answer ${answer}`}
                        apart={column === firstApart}
                      />
                    );
                  })}
                  <td className="apart">{whole(total)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      <figcaption>
        Counts, and shares of the row. Right answers are framed, also those to cases that should have been
        deferred. Abstained and invalid (which includes refused) are not answers, so they are set apart.
      </figcaption>
    </figure>
  );
}

/** Deferrals of a result that was published without rows: it does not say which answers were right, and no cell is a link. */
export function DeferralMatrix({ deferral }: { deferral: NonNullable<Figures['deferral']> }) {
  const lines = [
    {
      should: true,
      name: 'should defer',
      deferred: deferral.defer_when_needed,
      answered: deferral.answer_when_should_defer,
    },
    {
      should: false,
      name: 'should answer',
      deferred: deferral.abstain_when_should_answer,
      answered: deferral.answer_when_safe,
    },
  ];
  return (
    <figure>
      <h3>Deferral matrix</h3>
      <table className="matrix">
        <caption className="unseen">What was right (rows) by what the model did (columns)</caption>
        <thead>
          <tr>
            <th scope="col">right ╲ done</th>
            <th scope="col">deferred</th>
            <th scope="col">not deferred</th>
            <th scope="col" className="apart">
              rows
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ should, name, deferred, answered }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <Cell
                count={deferred}
                of={deferred + answered}
                kind={should ? 'hit' : 'miss'}
                href={null}
                label={`${name}, deferred`}
              />
              <Cell
                count={answered}
                of={deferred + answered}
                kind={should ? 'miss' : 'aside'}
                href={null}
                label={`${name}, not deferred`}
              />
              <td className="apart">{whole(deferred + answered)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <figcaption>
        Over rows with a deferral label. Right deferrals are framed; which answers were right is not known.
      </figcaption>
    </figure>
  );
}
