/**
 * The rooms of the house, in the order of the path of data: a room may use the rooms before it in this list, never one after it.
 */
const ROOMS = [
  'core',
  'files',
  'statistics',
  'rubrics',
  'suites',
  'domains',
  'models',
  'metrics',
  'store',
  'transports',
  'reports',
  // A run is scored by its analyses; comparisons analyse several runs. Files of the two rooms form no circle.
  'analyses|runs',
  'review',
  'engine',
  'viewer',
  'conformance',
  'cli',
];

const TESTS = '\\.test(-d)?\\.ts$';
const forwardOnly = ROOMS.slice(0, -1).map((room, i) => ({
  name: `${room.replace('|', '-and-')}-knows-nothing-to-its-right`,
  severity: 'error',
  from: { path: `^src/(${room})/`, pathNot: TESTS },
  to: { path: `^src/(${ROOMS.slice(i + 1).join('|')})/|^src/entries/|^src/index\\.ts$` },
}));

module.exports = {
  forbidden: [
    ...forwardOnly,
    {
      name: 'every-folder-is-a-room',
      comment: 'A folder of src/ that is not in the list above has no place in the path of data.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: `^src/(${ROOMS.join('|')}|entries)/` },
      to: {},
    },
    {
      name: 'no-doors',
      comment:
        'A file is imported by its name. A file that only exports others loads a whole room for one function.',
      severity: 'error',
      from: {},
      to: { path: '^src/.+/index\\.ts$' },
    },
    {
      name: 'readers-stay-in-files',
      comment: 'A room reads a file of another tool through the registry of files, whatever its format.',
      severity: 'error',
      from: { path: '^src/', pathNot: [TESTS, '^src/files/'] },
      to: { path: '^src/files/formats/' },
    },
    {
      name: 'no-domain-by-name',
      comment: 'Only the list of domains, the entries and conformance name a domain.',
      severity: 'error',
      from: { path: '^src/', pathNot: [TESTS, '^src/(domains|entries|conformance)/'] },
      to: { path: '^src/domains/[^/]+/' },
    },
    {
      name: 'the-page-has-one-door',
      comment: "The viewer's page may use of src what src/viewer/browser.ts exports.",
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', pathNot: '^src/viewer/browser\\.ts$' },
    },
    {
      name: 'src-knows-no-page',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^web/' },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^cephes$' },
    },
    {
      name: 'no-test-code-in-the-product',
      severity: 'error',
      from: { path: '^(src|web)/', pathNot: TESTS },
      to: { path: '^test/|\\.test\\.ts$|node_modules/(vitest|fast-check)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
