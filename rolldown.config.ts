import { cpSync, globSync } from 'node:fs';
import { basename } from 'node:path';
import { dts } from 'rolldown-plugin-dts';
import { collectLicences } from './licences.ts';

const CODE = 'dist/js';
const PUBLIC = ['src/index.ts', ...globSync('src/entries/*.ts')];

const named = (files: readonly string[]) =>
  Object.fromEntries(files.map((file) => [basename(file, '.ts'), file]));

const DECLARATIONS = { declaration: true, noEmit: false, emitDeclarationOnly: true, stripInternal: true };

/** Copies what the code reads as files, by its own place, to where it looks for them. */
const copyFiles = {
  name: 'copy-files',
  writeBundle() {
    cpSync('src/reports/formats/html/style.css', `${CODE}/style.css`);
    const filter = (path: string) => !path.endsWith('.ts');
    cpSync('src/suites/questions/bundled', `${CODE}/bundled`, { recursive: true, filter });
  },
};

/** What `npm run build` writes: the package's code and its declarations. */
export default [
  /*
   * An entry for each public import, for the command and for the viewer's reader process, and shared chunks. Dependencies are
   * inlined, since finding and reading a thousand small files takes most of a short command's time. All files are in one folder
   * two below the package's own, as those of src/cli are: a path relative to the code means the same in both.
   */
  {
    input: named([...PUBLIC, 'src/cli/main.ts', 'src/viewer/runs-reader.ts']),
    platform: 'node',
    // SDKs, optional packages, and a loader that reads files of its own.
    external: [/^@ai-sdk\//, '@resvg/resvg-js', 'bullmq', 'ioredis', 'jiti'],
    checks: { bundlerTimings: false },
    logLevel: 'warn',
    plugins: [collectLicences('THIRD-PARTY-LICENSES.txt'), copyFiles],
    output: { dir: CODE, cleanDir: true, entryFileNames: '[name].js', chunkFileNames: 'chunk-[name].js' },
  },
  /*
   * What no entry exports is left out, so a user's compiler never meets the types of SQLite or of the chart library.
   */
  {
    input: named(PUBLIC),
    external: /^[^./]/,
    checks: { bundlerTimings: false },
    logLevel: 'warn',
    plugins: [dts({ emitDtsOnly: true, tsconfig: 'tsconfig.build.json', compilerOptions: DECLARATIONS })],
    output: { dir: 'dist/types', cleanDir: true },
  },
] as const;
