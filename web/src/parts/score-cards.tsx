import type { Card } from '../../../src/viewer/browser.ts';
import { OutsideText } from './outside-text.tsx';
import { IntervalStrip } from './score.tsx';
import { directionText, number, scoreTitle } from './words.ts';

/** The numbers that lead, the gravest first. */
export function ScoreCards({ cards }: { cards: readonly Card[] }) {
  // Three or four to a row: no card is left alone in one.
  const columns = cards.length % 3 === 0 || cards.length % 4 === 1 ? 'by-three' : 'by-four';
  return (
    <ul className={`cards headline ${columns}`}>
      {cards.map((card) => (
        <ScoreCard key={card.metric} card={card} />
      ))}
    </ul>
  );
}

/** A score as a count, with its interval, how to read it, and what needs no model beside it. */
function ScoreCard({
  card: { metric, title, value, isPrimary, better, state, lines, strip, beside },
}: {
  card: Card;
}) {
  return (
    <li className={`card ${state ?? 'plain'}`} data-metric={metric}>
      <h3>
        <OutsideText text={scoreTitle(title)} />
        {isPrimary && <span className="tag line">primary endpoint</span>}
      </h3>
      <p className="value">
        {value} {better !== null && <span className="direction">{directionText(better)}</span>}
      </p>
      {state === 'worse' && <p className="state">worse than the guideline</p>}
      {strip !== null && <IntervalStrip score={{ value: strip.value, interval: strip }} beside={beside} />}
      <ul className="lines">
        {lines.map((text) => (
          <li key={text}>
            <OutsideText text={text} />
          </li>
        ))}
      </ul>
      {beside.length > 0 && (
        <dl className="beside-model">
          {beside.map(({ name, value: of }) => (
            <div key={name}>
              <dt>
                <OutsideText text={name} />
              </dt>
              <dd>{number(of)}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}
