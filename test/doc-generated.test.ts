import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PAGES } from '../docs/generate.ts';

it.each(Object.entries(PAGES))(
  'docs/%s is what the code says today (if not: node docs/generate.ts)',
  async (name, write) => {
    expect(readFileSync(`docs/${name}`, 'utf8')).toBe(await write());
  },
);
