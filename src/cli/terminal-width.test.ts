import { afterEach, describe, expect, it, vi } from 'vitest';
import { fileWidth, messageWidth, textWidth } from './print.ts';

const BEFORE = [process.stdout, process.stderr].map(
  (stream) => [stream, stream.isTTY, stream.columns] as const,
);

afterEach(() => {
  vi.unstubAllEnvs();
  for (const [stream, isTTY, columns] of BEFORE) Object.assign(stream, { isTTY, columns });
});

function terminal(columns: number | null, stated?: string): void {
  for (const stream of [process.stdout, process.stderr])
    Object.assign(stream, { isTTY: columns !== null, columns: columns ?? undefined });
  vi.stubEnv('COLUMNS', stated);
}

describe('the width of text', () => {
  it('is that of the terminal; a file does not depend on it', () => {
    terminal(132, '90');
    expect([textWidth(), messageWidth(), fileWidth()]).toEqual([132, 132, 90]);
    terminal(132);
    expect([textWidth(), messageWidth(), fileWidth()]).toEqual([132, 132, 80]);
  });

  it('is what COLUMNS says in a pipe, or else 80; messages in a log stay whole', () => {
    terminal(null, '100');
    expect([textWidth(), messageWidth(), fileWidth()]).toEqual([100, 100, 100]);
    for (const stated of [undefined, '', 'wide', '0', '-5', '1e9']) {
      terminal(null, stated);
      expect([textWidth(), messageWidth(), fileWidth()]).toEqual([80, Number.POSITIVE_INFINITY, 80]);
    }
  });

  it('is never so small that tables fall apart, nor 0 where the terminal does not know its own', () => {
    terminal(5);
    expect([textWidth(), messageWidth()]).toEqual([40, 40]);
    terminal(0);
    expect(textWidth()).toBe(80);
  });
});
