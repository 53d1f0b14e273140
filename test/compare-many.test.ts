import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Block } from '../src/reports/document/document.ts';
import { comparePayload } from '../src/viewer/compare-payload.ts';
import { comparedRecords } from '../src/viewer/compared-records.ts';
import { firstComparison } from '../src/viewer/first-comparison.ts';
import { type OpenRuns, openRuns } from '../src/viewer/open-runs.ts';
import { readIndex } from '../src/viewer/shown-lines.ts';
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
    const before = compared.map((id) => readIndex(runs, runs.find(id)));
    comparedRecords(runs, { ...show, offset: 10 });
    const after = compared.map((id) => readIndex(runs, runs.find(id)));
    for (const [i, index] of after.entries()) expect(index).toBe(before[i]);
  });

  it('begins with every model against the first, harms first, and leads to each pair', () => {
    const { section, faults } = firstComparison(runs, { runs: compared });
    const tableOf = (blocks: readonly Block[]) => blocks.find((block) => block.kind === 'table')!;
    const table = tableOf(section!.blocks);
    expect(table.columns.slice(1, 3).map(({ title }) => title)).toEqual([
      'missed emergencies',
      'false alarms',
    ]);
    const rows = table.groups[0]!.rows;
    expect(rows.length).toBe(n);
    expect(JSON.stringify(rows.at(-1))).toContain(`with=${compared.at(-1)}&section=pair-${n - 1}`);
    expect(JSON.stringify(rows.at(-1))).toMatch(/[+−]\d+\.\d/);
    expect(faults.map(({ model }) => model.slice(0, 2))).toContain('A:');

    const { sections, reason } = comparePayload(runs, { runs: compared });
    expect(reason).toBeNull();
    const grid = tableOf(sections.find(({ id }) => id === 'order')!.blocks);
    const last = grid.groups[0]!.rows.at(-1)!;
    expect(last.length).toBe(n + 1);
    // The last model minus the second: that one becomes A, and the address names the pair.
    const turned = [compared[1]!, ...compared.filter((id) => id !== compared[1])];
    const address = turned.map((id) => `runs=${id}`).join('&');
    expect(JSON.stringify(last[2])).toContain(
      `compare?${address}&with=${compared.at(-1)}&section=pair-${n - 1}`,
    );
  });

  it('reads the rows of each run once for the first look and for everything else', () => {
    const opened = openRuns({ folder });
    const found = compared.map((id) => opened.find(id));
    firstComparison(opened, { runs: compared });
    const table = () => opened.table(found[0]!, '', () => expect.fail('the rows are read again'));
    const before = table();
    comparePayload(opened, { runs: compared });
    expect(table()).toBe(before);
    opened.close();
  });
});

it('a comparison of two runs begins with both, and has no table of pairs', () => {
  const two = { runs: ids.slice(0, 2) };
  const table = firstComparison(runs, two).section!.blocks.find((block) => block.kind === 'table');
  expect(table!.groups[0]!.rows.length).toBe(2);
  const { sections } = comparePayload(runs, two);
  expect(sections.map(({ id }) => id)).not.toContain('order');
});
