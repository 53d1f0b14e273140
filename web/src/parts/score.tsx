import { answerableOnly, invalidBeside, restsOn, whole } from '../../../src/viewer/browser.ts';
import type { ScoreLine } from '../api.ts';
import { levelText, number, range, words } from './words.ts';

interface ScoreCardProps {
  readonly score: ScoreLine;
  /** All scores of the run. */
  readonly scores: readonly ScoreLine[];
  readonly primary: boolean;
}

/** A score with its interval, n and how to read it. */
export function ScoreCard({ score, scores, primary }: ScoreCardProps) {
  const only = answerableOnly(scores, score, ({ n }) => n);
  const invalid = invalidBeside(scores, score, ({ n_successes }) => n_successes);
  return (
    <li className="card">
      <h3>
        {score.label}
        {primary && <span className="tag line">primary endpoint</span>}
      </h3>
      <p className="value">{number(score.value)}</p>
      <IntervalStrip score={score} />
      <p>
        {score.value === null ? (
          `no value: ${words(score.reason ?? 'no reason given')}`
        ) : score.interval === null ? (
          'no interval'
        ) : (
          <span className="keep">
            {levelText(score.interval.level)}: {range(score.interval)}
          </span>
        )}
      </p>
      <p>
        n = {restsOn(score.n_successes, score.n)}
        {score.bounds !== null && `; with unscored rows ${range(score.bounds)}`}
      </p>
      {invalid !== null && <p>{whole(invalid)} invalid, counted as wrong</p>}
      {only !== undefined && (
        <p>
          answerable rows only: {number(only.value)} (n = {whole(only.n)})
        </p>
      )}
      {score.reads !== '' && <p>{score.reads}</p>}
    </li>
  );
}

/** Value and interval on a scale from 0 to 1; nothing for a score on another scale. */
export function IntervalStrip({ score }: { score: ScoreLine }) {
  const { value, interval } = score;
  const [low, high] = [interval?.lower ?? value, interval?.upper ?? value];
  if (value === null || low === null || high === null || low < 0 || high > 1) return null;
  return (
    <svg className="strip" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect className="track" y="3.4" width="100" height="1.2" />
      <rect className="range" x={low * 100} y="1" width={Math.max(0.6, (high - low) * 100)} height="6" />
      <rect className="point" x={Math.min(98.8, Math.max(0, value * 100 - 0.6))} width="1.2" height="8" />
    </svg>
  );
}
