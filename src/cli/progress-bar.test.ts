import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../reports/layout/wrap.ts';
import { progressBar, progressText } from './progress.ts';

const progress = {
  total: 1000,
  done: 620,
  answered: 500,
  abstained: 100,
  invalid: 18,
  failed: 2,
  inFlight: 4,
  rateLimits: 3,
  waitedSeconds: 0,
  waitingUntil: null,
  costUsd: 0.0123,
  askedAgain: { answers: 0, judgements: 0 },
};
const pace = { perSecond: 12.4, secondsLeft: 31 };
const shown = { name: 'simulated/careful', progress, pace };
const bar = (width: number, change: object = {}) =>
  stripVTControlCharacters(progressBar({ ...shown, ...change }, width));

describe('progressBar', () => {
  it('shows percent, counts, time left, failures, rate, cost and calls in flight', () => {
    expect(bar(140)).toBe(
      `simulated/careful ━━━━━━━━──────  62 % · 620/1000 · 31 s left · failed 2 · $0.0123 · 12/s · in flight 4 · 429s 3 · invalid 18 · deferred 100`,
    );
  });

  it('leaves out what matters least where there is little room', () => {
    expect(bar(80)).toBe('simulated/careful ━━━━━━━─────  62 % · 620/1000 · 31 s left · failed 2 · $0.0123');
    expect(bar(60)).toBe('simulated/care… ━━━━────  62 % · 620/1000 · 31 s left · 12/s');
  });

  it.each([40, 60, 80, 100, 140, 200])('never exceeds %d columns', (width) => {
    const name = '腎臓/モデルの名前がとても長い場合-abcdefghijklmnopqrstuvwxyz';
    for (const change of [{}, { name }, { progress: { ...progress, total: 0, done: 0 } }])
      expect(displayWidth(bar(width, change))).toBeLessThanOrEqual(width);
  });

  it('is full only when all is done', () => {
    const at = (done: number) => bar(80, { progress: { ...progress, done } });
    expect(at(999)).toMatch(/─ +99 %/);
    expect(at(1000)).toMatch(/━ 100 %/);
    expect(at(0)).toMatch(/ ─+ +0 %/);
  });

  it('says a slow rate per minute, and no time before anything is done', () => {
    expect(bar(140, { pace: { perSecond: 0.05, secondsLeft: 7600 } })).toContain(
      '2 h 06 min left · failed 2 · $0.0123 · 3.0/min',
    );
    expect(bar(140, { pace: { perSecond: null, secondsLeft: null } })).not.toContain('left');
  });
});

it('progressText is one line with everything, for a log', () => {
  expect(progressText(shown)).toBe(
    'simulated/careful 620/1000 (62 %) · answered 500, deferred 100, invalid 18, failed 2 · in flight 4 · 429s 3 · $0.0123 · 12/s · 31 s left',
  );
});
