import { expect, it } from 'vitest';
import { reportOf } from '../../test/run-report-fixture.ts';
import { withActLabels } from './about-run.ts';

const run = reportOf();
const withTask = (change: object) => ({ ...run, task: { ...run.task!, ...change } });

it('gives act labels to a run that has none, also to one without a task', () => {
  expect(withActLabels(run, ['em'], 'a.db').task).toEqual({ ...run.task, actLabels: ['em'] });
  const { task } = withActLabels({ ...run, task: null }, ['em'], 'a.db');
  expect(task).toMatchObject({ kind: 'labels', labels: [], pack: null, actLabels: ['em'] });
  expect(withActLabels(run, undefined, 'a.db')).toBe(run);
});

it('leaves a run with the same act labels as it is', () => {
  const own = withTask({ actLabels: ['em', 'urgent'] });
  expect(withActLabels(own, ['Urgent', 'EM'], 'a.db')).toBe(own);
});

it.each([
  ['other act labels', { actLabels: ['em'] }, 'a.db: its act labels are em; leave out the act labels ne'],
  ['a model that was asked', { urgencyAsked: true }, 'a.db: its model was asked whether each case is urgent'],
])('refuses act labels for %s', (_, change, message) => {
  expect(() => withActLabels(withTask(change), ['ne'], 'a.db')).toThrow(message);
});
