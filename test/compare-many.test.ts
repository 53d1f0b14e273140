import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comparePayload } from '../src/viewer/compare-payload.ts';
import { comparedRecords } from '../src/viewer/compared-records.ts';
import { type OpenRuns, openRuns } from '../src/viewer/open-runs.ts';
import { indexOf } from '../src/viewer/shown-lines.ts';
import { endRun, writeRun } from './viewer-fixture.ts';

/** Comparisons of as many runs as the viewer allows. */

const folder = mkdtempSync(join(tmpdir(), 'krisis-many-'));
const ids = Array.from({ length: 12 }, (_, i) => `run-${String(i).padStart(2, '0')}`);
let runs: OpenRuns;

beforeAll(async () => {
  for (const [i, id] of ids.entries()) {
    const path = join(folder, `${id}.db`);
    await writeRun(path, { n: 40, wrongEvery: 3 + i, asksUrgency: true, model: `unit/${id}` });
    endRun(path);
  }
  runs = openRuns({ folder });
});
afterAll(() => {
  runs.close();
  rmSync(folder, { recursive: true });
});

describe.each([5, 12])('a comparison of %i runs', (n) => {
  const compared = ids.slice(0, n);

  it('reads the rows of each run once, however many records it shows', () => {
    const show = { runs: compared, show: 'all', offset: 0, limit: 30 } as const;
    expect(comparedRecords(runs, show).rows.length).toBe(30);
    const before = compared.map((id) => indexOf(runs, runs.find(id)));
    comparedRecords(runs, { ...show, offset: 10 });
    const after = compared.map((id) => indexOf(runs, runs.find(id)));
    for (const [i, index] of after.entries()) expect(index).toBe(before[i]);
  });

  it('begins with every model against the first, harms first, and leads to each pair', () => {
    const { sections, reason } = comparePayload(runs, { runs: compared });
    expect(reason).toBeNull();
    const [first] = sections;
    expect(first!.id).toBe('differences');
    const table = first!.blocks.find((block) => block.kind === 'table')!;
    expect(table.columns.slice(1, 3).map(({ title }) => title)).toEqual([
      'missed emergencies',
      'false alarms',
    ]);
    const rows = table.groups[0]!.rows;
    expect(rows.length).toBe(n);
    const text = JSON.stringify(rows.at(-1));
    expect(text).toContain(`with=${compared.at(-1)}`);
    expect(text).toContain(`compare?runs=${compared.at(-1)}&runs=${compared[0]}`);
    expect(text).toMatch(/[+-]?0\.\d{3}/);
  });
});

it('a comparison of two runs has no such table', () => {
  const { sections } = comparePayload(runs, { runs: ids.slice(0, 2) });
  expect(sections.map(({ id }) => id)).not.toContain('differences');
});
