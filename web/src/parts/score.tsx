import type { ScoreLine } from '../api.ts';
import { range, restsOn, words } from './words.ts';

interface StripProps {
  readonly score: {
    readonly value: number | null;
    readonly interval: { readonly lower: number; readonly upper: number } | null;
  };
  /** Values to mark with a thin line. Default: none. */
  readonly beside?: readonly { readonly name: string; readonly value: number }[];
  /** Up to where a value may be chance alone. Default: nowhere. */
  readonly noise?: number | null;
}

/** Value and interval on a scale from 0 to 1; nothing for a score on another scale. */
export function IntervalStrip({ score: { value, interval }, beside = [], noise = null }: StripProps) {
  const [low, high] = [interval?.lower ?? value, interval?.upper ?? value];
  if (value === null || low === null || high === null || low < 0 || high > 1) return null;
  return (
    <svg className="strip" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect className="track" y="3.4" width="100" height="1.2" />
      {noise !== null && <rect className="noise" width={Math.min(100, noise * 100)} height="8" />}
      {beside.map(({ name, value: at }) => (
        <rect
          key={name}
          className="other"
          x={Math.min(99.4, Math.max(0, at * 100 - 0.3))}
          width="0.6"
          height="8"
        />
      ))}
      <rect className="range" x={low * 100} y="1" width={Math.max(0.6, (high - low) * 100)} height="6" />
      <rect className="point" x={Math.min(98.8, Math.max(0, value * 100 - 0.6))} width="1.2" height="8" />
    </svg>
  );
}

/** The scale of the strips below it. */
export function Ticks() {
  return (
    <span className="ends ticks" aria-hidden="true">
      <span>0</span>
      <span>0.5</span>
      <span>1</span>
    </span>
  );
}

/** A share as a count: harms above zero stand out. */
export function Count({ score }: { score: ScoreLine }) {
  const { value, reason, n, n_successes: count, bounds, harm } = score;
  return (
    <>
      {value === null ? (
        <span className="quiet">{words(reason ?? 'no value')}</span>
      ) : (
        <strong className={harm && value > 0 ? 'keep harmful' : 'keep'}>{restsOn(count, n)}</strong>
      )}
      {bounds !== null && <span className="quiet line">bounds {range(bounds)}</span>}
    </>
  );
}
