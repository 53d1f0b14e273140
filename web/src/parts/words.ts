import { DASH, durationText, whole } from '../../../src/viewer/browser.ts';

/** Numbers are written as in the report, by the same functions. */
export { DASH, inWords as words, number, range, scoreTitle, share } from '../../../src/viewer/browser.ts';

/** Which direction of a score is better, with a sign and words. */
export function directionText(better: 'higher' | 'lower'): string {
  return better === 'higher' ? '↑\u00a0higher is better' : '↓\u00a0lower is better';
}

/** `0.95` is `95 %`. */
export function levelText(level: number): string {
  return `${Math.round(level * 1000) / 10}\u00a0%`;
}

export function money(usd: number | null): string {
  if (usd === null) return DASH;
  return `${usd.toFixed(usd < 1 && usd > 0 ? 4 : 2)}\u00a0US$`;
}

export function duration(seconds: number | null): string {
  if (seconds === null) return DASH;
  if (seconds < 60) return `${seconds.toFixed(1)}\u00a0s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}\u00a0min ${Math.round(seconds % 60)}\u00a0s`;
  return `${Math.floor(minutes / 60)}\u00a0h ${minutes % 60}\u00a0min`;
}

/** `, 2 min 05 s left` of a run that is being written; empty before its first row. */
export function timeLeft({ seconds_left: left }: { readonly seconds_left: number | null }): string {
  return left === null ? '' : `, ${durationText(left)} left`;
}

/** A date as `2026-03-01 12:30`, in the reader's time zone. */
export function moment(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

export function formatCases(count: number): string {
  return count === 1 ? '1 case' : `${whole(count)} cases`;
}

/** `48 of 48` for a share; the number of rows for anything else. */
export function restsOn(successes: number | null | undefined, n: number): string {
  return successes == null ? `n = ${whole(n)}` : `${whole(successes)} of ${whole(n)}`;
}
