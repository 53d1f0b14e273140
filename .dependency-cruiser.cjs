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
const DOOR = '/(index|browser)\\.ts$';
/** The public side of the rooms without a door for everything. */
const TOP_LEVEL = '^src/(suites|domains|files)/[^/]+\\.ts$';

const NO_DOORS = '^src/(models|store|transports|reports|analyses|runs)/';

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
      name: 'rooms-have-doors',
      comment:
        "Other rooms are entered through their index.ts (or a part's own), not by reaching for a file. Of files, suites and domains the top-level files are public.",
      severity: 'error',
      from: {
        path: '^src/([^/]+)',
        pathNot: [TESTS, '^src/viewer/browser\\.ts$', '^src/(domains|conformance|entries|cli)/'],
      },
      to: { path: '^src/[^/]+/', pathNot: ['^src/$1/', DOOR, TOP_LEVEL, NO_DOORS] },
    },
    {
      name: 'commands-load-what-they-use',
      comment:
        'The command line may also name the top-level files of core and store, since a door would load their whole rooms for one function, and the public entries, which configs import.',
      severity: 'error',
      from: { path: '^src/cli/', pathNot: TESTS },
      to: {
        path: '^src/[^/]+/',
        pathNot: ['^src/cli/', DOOR, TOP_LEVEL, NO_DOORS, '^src/(core|store)/[^/]+\\.ts$', '^src/entries/'],
      },
    },
    {
      name: 'domains-build-on-suites',
      comment: 'Domains may use every file of suites; other rooms are entered through their doors.',
      severity: 'error',
      from: { path: '^src/domains/', pathNot: TESTS },
      to: { path: '^src/[^/]+/', pathNot: ['^src/(domains|suites)/', DOOR] },
    },
    {
      name: 'entries-and-conformance-know-domains',
      comment:
        'Entries and conformance functions name the files of a domain; other rooms are entered through their doors.',
      severity: 'error',
      from: { path: '^src/(conformance|entries)/', pathNot: [TESTS, '^src/entries/metrics\\.ts$'] },
      to: { path: '^src/[^/]+/', pathNot: ['^src/$1/', '^src/domains/', DOOR, TOP_LEVEL, NO_DOORS] },
    },
    {
      name: 'no-domain-by-name',
      comment: 'Only the list of domains, the entries and conformance name a domain.',
      severity: 'error',
      from: { path: '^src/', pathNot: [TESTS, '^src/(domains|entries|conformance)/'] },
      to: { path: '^src/domains/[^/]+/' },
    },
    {
      name: 'no-way-out-and-in-again',
      comment: 'Inside a room files import each other, not the door.',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: TESTS },
      to: { path: '^src/$1/(index|browser)\\.ts$' },
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
