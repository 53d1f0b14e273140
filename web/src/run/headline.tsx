import {
  firstCards,
  type HeadlineCard,
  runSentence,
  sampleSize,
  whole,
} from '../../../src/viewer/browser.ts';
import type { RunPayload } from '../api.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { Blocks } from '../parts/report-blocks.tsx';
import { IntervalStrip } from '../parts/score.tsx';
import { directionText, number, share } from '../parts/words.ts';
import type { PanelProps } from './panel.ts';
import { leadingLines, scoreOfLine } from './score-of-line.ts';

/** The first screen: what happened in one sentence, then the numbers that belong together. */
export function Headline({ payload }: PanelProps) {
  const { run, baselines, detectable, decisions, method } = payload;
  const scores = payload.scores.map(scoreOfLine);
  const sentence = runSentence({
    model: run.model,
    ledger: run.ledger,
    n: run.status === 'stopped_early' ? run.n_done : run.n,
    scores,
    repeats: payload.flow?.repeats ?? 1,
    isRunning: run.status === 'running',
  });
  const headlines = leadingLines(payload.scores).map(scoreOfLine);
  const cards = firstCards({ scores, headlines, baselines, primary: run.headline?.name ?? null });
  // A run that was imported without rows has scores all the same.
  const isEmpty = scores.length === 0 || (payload.n_scored === 0 && !run.imported);
  return (
    <section aria-labelledby="headline-title">
      <h2 id="headline-title" className="unseen">
        Headline
      </h2>
      {sentence !== null && (
        <p className="sentence">
          <OutsideText text={sentence} />
        </p>
      )}
      <Usable payload={payload} />
      {isEmpty ? (
        <p className="empty">
          {run.status === 'running' ? 'No scores yet.' : 'No row was scored, so there are no metrics.'}
        </p>
      ) : (
        <>
          <ul className={`cards headline ${cards.length % 3 === 1 ? 'by-four' : 'by-three'}`}>
            {cards.map((card) => (
              <ScoreCard
                key={card.score.name}
                card={card}
                better={payload.scores.find(({ name }) => name === card.score.name)?.better ?? null}
              />
            ))}
          </ul>
          <Blocks blocks={sampleSize({ detectable, decisions, card: { method } })} />
        </>
      )}
    </section>
  );
}

/** Usable answers and failed rows, before any score: a number over few rows says little. */
function Usable({ payload: { run } }: { payload: RunPayload }) {
  const countOf = (is: (name: string) => boolean) =>
    Object.entries(run.ledger).reduce((sum, [name, count]) => (is(name) ? sum + count : sum), 0);
  if (run.n === 0 || countOf(() => true) === 0) return null;
  const usable = countOf((name) => name.startsWith('answered'));
  const failed = countOf((name) => name.startsWith('failed'));
  const invalid = countOf((name) => name === 'invalid' || name === 'refused');
  const notRun = run.n - run.n_done;
  const n = run.status === 'stopped_early' ? run.n_done : run.n;
  return (
    <p className="usable">
      Usable answers <strong>{share(usable, n)}</strong> ({whole(usable)}/{whole(n)}) ·{' '}
      <span className={failed > 0 ? 'unfavourable' : undefined}>
        failed <strong>{whole(failed)}</strong>
      </span>{' '}
      · invalid or refused <strong>{whole(invalid)}</strong>
      {invalid > 0 && ', counted as wrong'}
      {notRun > 0 && (
        <>
          {' '}
          · not run <strong>{whole(notRun)}</strong>
        </>
      )}
    </p>
  );
}

interface ScoreCardProps {
  readonly card: HeadlineCard;
  readonly better: 'higher' | 'lower' | null;
}

/** A score with its interval, n, how to read it, and what needs no model beside it. */
function ScoreCard({ card: { score, title, value, isPrimary, lines, beside }, better }: ScoreCardProps) {
  return (
    <li className="card" data-metric={score.name}>
      <h3>
        <OutsideText text={title} />
        {isPrimary && <span className="tag line">primary endpoint</span>}
      </h3>
      <p className="value">
        {value} {better !== null && <span className="direction">{directionText(better)}</span>}
      </p>
      <IntervalStrip score={score} beside={beside} />
      <ul className="lines">
        {lines.map((line) => (
          <li key={line}>
            <OutsideText text={line} />
          </li>
        ))}
      </ul>
      {beside.length > 0 && (
        <dl className="beside-model">
          {beside.map(({ name, value }) => (
            <div key={name}>
              <dt>
                <OutsideText text={name} />
              </dt>
              <dd>{number(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}
