import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PatientRecord } from '../../core/patient-record.ts';
import { problemText } from '../file-problem.ts';
import { checkDefinition } from './check-definition.ts';
import { checkTable } from './check-table.ts';
import type { TableDefinition } from './definition.ts';
import { readDelimited } from './read-table.ts';
import { surveyTable } from './survey-table.ts';

function read(text: string, definition: Partial<TableDefinition> = {}) {
  const checked = checkDefinition({
    name: 'own/x',
    file: 'x.csv',
    label: 'dx',
    instructions: 'Answer.',
    ...definition,
  });
  const table = readDelimited(() => [text], ',');
  const survey = surveyTable(table, checked);
  const records: PatientRecord[] = [];
  const findings = checkTable(table, survey, checked, (record) => records.push(record));
  return { ...findings, records, labels: survey.labels };
}
const problems = (text: string, definition?: Partial<TableDefinition>) =>
  read(text, definition).problems.map((problem) => problemText(problem));

it('makes records of rows', () => {
  const { records, labels } = read(
    'id,na,note,dx,defer,why,site,bed\nA,130, dizzy ,low,no,,n,4\nB,NA,?,,yes,no sodium,s,\nC,140,well,ok,,,n,5\n',
    {
      id: 'id',
      columns: { note: { name: 'Note' }, na: { name: 'Sodium', unit: 'mmol/L' } },
      shouldAbstain: 'defer',
      shouldAbstainReasons: 'why',
      metadata: ['site', 'bed'],
    },
  );
  expect(labels).toEqual(['low', 'ok']);
  expect(records).toEqual([
    {
      id: 'A',
      features: { Note: 'dizzy', 'Sodium (mmol/L)': 130 },
      label: 'low',
      metadata: { site: 'n', bed: 4, should_abstain: false, should_abstain_reasons: [] },
    },
    {
      id: 'B',
      features: { Note: null, 'Sodium (mmol/L)': null },
      label: null,
      metadata: { site: 's', bed: null, should_abstain: true, should_abstain_reasons: ['no sodium'] },
    },
    {
      id: 'C',
      features: { Note: 'well', 'Sodium (mmol/L)': 140 },
      label: 'ok',
      metadata: { site: 'n', bed: 5, should_abstain: null, should_abstain_reasons: [] },
    },
  ]);
});

it('shows nothing of label, deferral labels, ids or metadata: canaries stay in their cages', () => {
  const roles = ['id', 'dx', 'defer', 'why', 'site', 'ward'];
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...roles, 'na', 'note'], { minLength: 8 }),
      fc.boolean(),
      (order, listed) => {
        const row = (i: number): Record<string, string> => ({
          id: `CANARY-id-${i}`,
          dx: `CANARY-dx-${i % 2}`,
          defer: i % 2 === 0 ? 'yes' : 'no',
          why: `CANARY-why-${i}`,
          site: `CANARY-site-${i}`,
          ward: `CANARY-ward-${i}`,
          na: String(130 + i),
          note: `note ${i}`,
        });
        const lines = [0, 1, 2, 3].map((i) => order.map((name) => row(i)[name]).join(','));
        const { records, problems } = read([order.join(','), ...lines].join('\n'), {
          id: 'id',
          shouldAbstain: 'defer',
          shouldAbstainReasons: 'why',
          metadata: ['site', 'ward'],
          ...(listed ? { columns: ['note', 'na'] } : {}),
        });
        expect(problems).toEqual([]);
        for (const { features } of records) {
          expect(Object.keys(features).sort()).toEqual(['na', 'note']);
          expect(JSON.stringify(features)).not.toMatch(/CANARY|yes|no"/);
        }
        expect(JSON.stringify(records)).toContain('CANARY-ward-3');
      },
    ),
  );
});

it('gives ids that do not depend on what is hidden', () => {
  const ids = (text: string) => read(text, { metadata: ['site'] }).records.map(({ id }) => id);
  expect(ids('na,dx,site\n1,a,n\n2,b,n\n')).toEqual(ids('site,dx,na\ns,b,1\ns,a,2\n'));
});

it('refuses a shown column that is the label, by default or listed', () => {
  const text = 'na,copy,dx\n130,LOW,low\n140,ok,ok\n131,low,low\n';
  const leak = 'column "copy": it equals the label, so the model would see the answer';
  expect(problems(text)[0]).toContain(leak);
  expect(problems(text, { columns: ['na', 'copy'] })[0]).toContain(leak);
  expect(problems(text, { metadata: ['copy'] })).toEqual([]);
  expect(problems('stage,na,dx\n1,5,1\n2,6,2\n')[0]).toContain('column "stage": it equals the label');
});

it('lists all problems at once, in the order of lines', () => {
  const text =
    'id,na,dx,defer\nA,130,low,no\nA,high,low,maybe\nC,140\nD,,,no\nE,141,LOWISH,no\nF,142,ok,yes\n';
  expect(
    problems(text, {
      id: 'id',
      columns: { na: { type: 'number' } },
      labels: ['low', 'ok'],
      shouldAbstain: 'defer',
    }),
  ).toEqual([
    'line 4: 2 fields; expected 4, one per column of line 1 (put a text that holds commas in quotation marks)',
    'line 3, column "na": "high"; expected a number with a point for decimals, or a marker of "not measured"',
    'line 3, column "defer": "maybe"; expected true, false, yes, no, 1, 0, or nothing for unlabelled',
    'line 3, column "id": "A"; expected a different id in every row; line 2 has this one',
    'line 5, column "dx": nothing there; expected one of "low", "ok" (nothing only where column "defer" is true)',
    'line 6, column "dx": "LOWISH"; expected one of "low", "ok"',
  ]);
});

it('allows a row without a label only where deferring is right', () => {
  expect(problems('na,dx\n1,a\n2,b\n3,NA\n')).toEqual([
    'line 4, column "dx": "NA"; expected one of "a", "b"',
  ]);
  expect(problems('na,dx,d\n1,a,\n2,b,\n3,,1\n', { shouldAbstain: 'd' })).toEqual([]);
  expect(problems('na,dx,d\n1,a,\n2,b,\n3,,\n', { shouldAbstain: 'd' })).toHaveLength(1);
});

it('refuses files with nothing in them', () => {
  expect(problems('')).toEqual([expect.stringContaining('the file: no row of data')]);
  expect(problems('na,dx\n')).toEqual([expect.stringContaining('the file: no row of data')]);
  expect(problems('na\n')).toEqual([expect.stringContaining('column "dx": no such column')]);
});

it('says what is wrong with the header and the rows, and nothing that follows from it', () => {
  expect(problems('na,na,x\n1,2,3\n1\n')).toEqual([
    expect.stringContaining('line 1, column "na": a second column of this name'),
    expect.stringContaining('line 3: 1 field'),
    expect.stringContaining('column "dx": no such column; expected one of the columns "na", "na", "x"'),
  ]);
  expect(problems('na;dx\n1;a\n')).toEqual([expect.stringContaining('fields separated by semicolons')]);
});

it('refuses a single label', () => {
  expect(problems('na,dx\n1,a\n2,a\n')).toEqual([
    'column "dx": only the label "a"; expected at least two labels',
  ]);
});

it('numbers records of a protected table without ids, since a hash of their values could be recomputed', () => {
  const ids = (sensitivity: 'protected' | 'public') =>
    read('na,dx\n130,low\n140,ok\n', { sensitivity }).records.map(({ id }) => id);
  expect(ids('protected')).toEqual(['record-1', 'record-2']);
  expect(ids('public')).toEqual([
    expect.stringMatching(/^[0-9a-f]{16}$/),
    expect.stringMatching(/^[0-9a-f]{16}$/),
  ]);
});

it('marks emergencies, which need no label and are never to be deferred', () => {
  const { records, warnings, problems } = read(
    'k,dx,defer,Emergency\n6.9,high,no,yes\n7.1,,yes,1\n4.1,ok,,no\n4.0,ok,yes,\n',
    { shouldAbstain: 'defer', mustAct: 'Emergency', labels: ['ok', 'high'] },
  );
  expect(problems).toEqual([]);
  expect(records.map(({ label, metadata }) => [label, metadata])).toEqual([
    ['high', { should_abstain: false, must_act: true }],
    [null, { should_abstain: null, must_act: true }],
    ['ok', { should_abstain: null, must_act: false }],
    ['ok', { should_abstain: true, must_act: null }],
  ]);
  expect(records[0]!.features).toEqual({ k: 6.9 });
  expect(warnings).toEqual([
    '1 row is marked both as an emergency and to be deferred: the deferral label is ignored there',
  ]);
});

it('takes metadata named must_act for the key', () => {
  const text = 'k,dx,must_act,site\n6.9,high,yes,n\n4.1,ok,no,s\n';
  const byKey = read(text, { mustAct: 'must_act', metadata: ['site'] }).records;
  expect(read(text, { metadata: ['must_act', 'site'] }).records).toEqual(byKey);
  expect(byKey[0]!.metadata).toEqual({ must_act: true, site: 'n' });
});

it('takes cases with an act label for emergencies, unless a column says otherwise', () => {
  const text = 'k,dx,must_act,defer\n1,em,,no\n2,home,,no\n3,home,yes,no\n4,EM,,yes\n';
  const rest = { actLabels: ['em'], shouldAbstain: 'defer' };
  const { records, warnings } = read(text, { ...rest, mustAct: 'must_act' });
  expect(records.map(({ metadata }) => metadata.must_act)).toEqual([true, false, true, true]);
  expect(records[3]!.metadata.should_abstain).toBe(null);
  expect(warnings.join()).toContain('1 row is marked both');
});

it('asks for a label where a row is neither to be deferred nor an emergency', () => {
  const [problem] = problems('k,dx,defer,act\n1,,no,no\n2,a,,\n3,b,,\n', {
    shouldAbstain: 'defer',
    mustAct: 'act',
  });
  expect(problem).toContain('nothing only where column "defer" or column "act" is true');
});

it('keeps groups as metadata without hiding them', () => {
  const text = 'age,sex,site,dx\n61,female,n,a\n50,male,s,b\n';
  expect(read(text, { groups: ['sex', 'site'], metadata: ['site'] }).records[0]).toMatchObject({
    features: { age: 61, sex: 'female' },
    metadata: { sex: 'female', site: 'n' },
  });
  const listed = read(text, {
    columns: { age: { name: 'Age', unit: 'years' } },
    groups: ['age', 'sex'],
  }).records[0]!;
  expect(listed.features).toEqual({ 'Age (years)': 61 });
  expect(listed.metadata).toEqual({ age: 61, sex: 'female' });
});
