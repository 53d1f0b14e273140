import type { Card } from '../../../src/viewer/browser.ts';
import { OutsideText } from './outside-text.tsx';
import { IntervalStrip } from './score.tsx';
import { directionText, number, scoreTitle } from './words.ts';

/** The numbers that lead, the gravest first. */
export function ScoreCards({ cards }: { cards: readonly Card[] }) {
  // No card is left alone in a row.
  const n = cards.length;
  const columns = n === 5 ? 'by-five' : n % 3 === 0 || n % 4 === 1 ? 'by-three' : 'by-four';
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
      {strip !== null && (
        <IntervalStrip
          score={{ value: strip.value, interval: strip }}
          beside={leadingYardsticks(beside)}
          noise={strip.noise}
        />
      )}
      <ul className="lines">
        {lines.map((text) => (
          <li key={text}>
            <OutsideText text={text} />
          </li>
        ))}
      </ul>
      {beside.length > 0 && (
        <p className="beside-model">
          <OutsideText
            text={leadingYardsticks(beside)
              .map(({ name, value: of }) => `${name}\u00a0${number(of)}`)
              .join(' · ')}
          />
        </p>
      )}
    </li>
  );
}

/** Constant policies and the guideline; where the suite has no guideline, its other baselines. */
export function leadingYardsticks(beside: Card['beside']): Card['beside'] {
  const leading = beside.filter(({ name }) => /deferring$|^guideline/.test(name));
  return leading.some(({ name }) => name.startsWith('guideline')) ? leading : beside;
}
