/**
 * The direction of imports: a room may use the rooms before it in this list, never one after it.
 * DESIGN: dataset -> Suite -> records -> Backend -> rows -> Metrics -> BenchmarkResult -> Report / Viewer.
 */
const ROOMS = [
  'records',
  'numerics',
  'suites',
  'backends',
  'metrics',
  'runs',
  'benchmark',
  'rubrics',
  'reports',
  'viewer',
  'config',
  'conformance',
  'cli',
];

const forwardOnly = ROOMS.slice(0, -1).map((room, i) => ({
  name: `${room}-knows-nothing-to-its-right`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: `^src/(${ROOMS.slice(i + 1).join('|')})/|^src/index\\.ts$` },
}));

module.exports = {
  forbidden: [
    ...forwardOnly,
    {
      name: 'every-folder-is-a-room',
      comment: 'A folder of src/ that is not in the list above has no place in the path of data.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: `^src/(${ROOMS.join('|')})/` },
      to: {},
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
      from: { path: '^src/', pathNot: '\\.test(-d)?\\.ts$' },
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
