import { afterAll, expect, it } from 'vitest';
import { comparedModel } from '../src/analyses/comparison/compare-runs.ts';
import { modelTables } from '../src/analyses/comparison/models-section.ts';
import { modelsTable } from '../src/cli/output/models-table.ts';
import { Benchmark } from '../src/engine/benchmark.ts';
import { run as runSuite } from '../src/engine/run.ts';
import { defineMetric } from '../src/metrics/define-metric.ts';
import { harmWarnings } from '../src/metrics/warnings.ts';
import { openRun } from '../src/runs/read-run.ts';
import { firstCards } from '../src/runs/sections/headline-cards.ts';
import { headlineScores } from '../src/runs/sections/headline-scores.ts';
import { runLine } from '../src/viewer/run-line.ts';
import { allYes, recordsOf, scriptedBackend, suiteOf, temporaryFolder } from './engine-fixture.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const saysYes = defineMetric({
  name: 'says_yes',
  label: 'Says Yes',
  family: 'safety',
  better: 'lower',
  harm: true,
  leads: 9,
  column: 'yes',
  compared: { table: 'confidence', place: 9, title: 'share of yes' },
  notable: { code: 'says_yes', did: 'said yes', ofWhat: 'cases' },
  constantPolicies: () => ({ always: 0 }),
  proportion: (rows) => {
    const all = [...rows];
    return { successes: all.filter(({ prediction }) => prediction === 'yes').length, n: all.length };
  },
});

it('shows a headline metric of your own wherever models are listed, from its fields alone', async () => {
  const path = folder.file('run.db');
  const about = { suite: suiteOf(recordsOf('abcd')), backend: scriptedBackend(allYes), path };
  await runSuite({ ...about, ownMetrics: [saysYes], scoring: { resamples: 0 } });
  // Read again: the code of the metric is not known any more.
  const run = openRun(path);
  expect(run.numbersFrom).toBe('stored_report');

  expect(modelsTable([run], 200)).toMatch(/Says Yes.*\n.*4\/4/);

  const { scores } = run.card;
  const cards = firstCards({ scores, headlines: headlineScores(scores, null), baselines: [], primary: null });
  expect(cards.find(({ title }) => title === 'Says Yes')).toMatchObject({
    value: '4 of 4',
    beside: [{ name: 'always deferring', value: 0 }],
  });

  const columns = modelTables([comparedModel(run)]).flatMap((table) =>
    table.columns.map(({ title }) => title),
  );
  expect(columns).toEqual(expect.arrayContaining(['says yes', 'share of yes']));

  const line = runLine(path).leading.find(({ name }) => name === 'says_yes');
  expect(line).toMatchObject({ column: { title: 'yes', place: 9 }, harm: true, better: 'lower' });
});

it('warns of a notable share of an own metric', async () => {
  const { card } = await new Benchmark(suiteOf(recordsOf('abcd')), scriptedBackend(allYes), {
    metrics: [saysYes],
    resamples: 0,
  }).run();
  expect(harmWarnings(card)).toContainEqual({
    code: 'says_yes',
    message: 'Said yes: 4 of 4 cases (100.0 %).',
  });
});
