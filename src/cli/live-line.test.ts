import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ProgressCounter } from '../engine/progress.ts';
import { LiveLine } from './progress.ts';

const { isTTY, columns } = process.stderr;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  Object.assign(process.stderr, { isTTY, columns });
});

/** What a run of ten rows, one a second, four of them done before, writes to standard error. */
function written(stderr: { readonly isTTY: boolean; readonly columns?: number }): string[] {
  vi.useFakeTimers();
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  Object.assign(process.stderr, stderr);
  const line = new LiveLine('unit/model');
  const counter = new ProgressCounter(10, 4, (progress) => line.update(progress));
  counter.flight(0);
  for (let i = 0; i < 6; i++) {
    vi.advanceTimersByTime(2000);
    counter.row({ state: 'answered' });
  }
  line.clear();
  return write.mock.calls.map(([text]) => String(text));
}

describe('LiveLine', () => {
  it('draws a bar on a terminal, by the pace of this session, and takes it away', () => {
    vi.stubEnv('TERM', 'xterm');
    const lines = written({ isTTY: true, columns: 60 });
    expect(lines.every((line) => line.startsWith('\r'))).toBe(true);
    expect(stripVTControlCharacters(lines[2]!)).toBe(
      '\runit/model ━━━━━━━──────  60 % · 6/10 · 8 s left · 30.0/min',
    );
    expect(lines.at(-1)).toBe('\r\u001b[2K');
  });

  it.each([
    ['a log', 'xterm', false],
    ['a terminal that cannot erase', 'dumb', true],
  ])('writes whole lines now and then to %s', (_, term, isTerminal) => {
    vi.stubEnv('TERM', term);
    expect(written({ isTTY: isTerminal })).toEqual([
      'unit/model 9/10 (90 %) · answered 5, deferred 0, invalid 0, failed 0 · in flight 0 · 30.0/min · 2 s left\n',
    ]);
  });
});
