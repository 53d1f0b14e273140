/** What `npm run torture` tries, which promise it is after, and the tests that try it. */
export interface Scenario {
  readonly name: string;
  readonly promise: string;
  readonly files: readonly string[];
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'kills',
    promise: 'no row is lost, none is asked twice but those in flight, no score changes',
    files: ['test/kill.test.ts', 'test/failed-rows.test.ts'],
  },
  {
    name: 'storms',
    promise: 'waits are honoured by every process; faults end in rows, not in wrong rows',
    files: ['test/storm.test.ts', 'test/provider-run.test.ts'],
  },
  {
    name: 'hostile replies',
    promise: 'a note cannot pass for structure, and a reply only counts as what the model meant',
    files: [
      'test/hostile-notes.test.ts',
      'src/models/api/parse-reply.test.ts',
      'src/models/api/planted-answers.test.ts',
      'src/rubrics/judge/judge-reply.test.ts',
    ],
  },
  {
    name: 'canaries',
    promise: 'nothing of a protected patient is written, printed or sent elsewhere',
    files: ['test/canary.test.ts', 'test/canary-commands.test.ts'],
  },
  { name: 'budget', promise: 'a run never costs more than its budget', files: ['test/budget.test.ts'] },
  {
    name: 'disk and clock',
    promise:
      'a lost file, a full disk, a locked cache or a stepping clock is noticed, and nothing is swallowed',
    files: [
      'test/durability.test.ts',
      'src/store/provider-waits.test.ts',
      'src/engine/pacing/simulation.test.ts',
    ],
  },
  {
    name: 'hostile files',
    promise: 'foreign run files are refused, never executed, and never hang a command',
    files: ['test/hostile-files.test.ts'],
  },
  {
    name: 'clusters',
    promise: 'gates and intervals over clusters err as rarely as the documentation says',
    files: ['src/statistics/cluster-error-rates.test.ts'],
  },
  {
    name: 'seals',
    promise: 'a changed, dropped or added entry is named',
    files: ['test/verify.test.ts', 'src/store/verify-run.test.ts', 'src/store/digest.test.ts'],
  },
];
