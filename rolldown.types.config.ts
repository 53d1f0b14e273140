import { globSync } from 'node:fs';
import { dts } from 'rolldown-plugin-dts';

/**
 * The package's declaration files: one for each entry, and shared chunks with what several need. What no entry exports is left out, so a user's compiler never meets the types of SQLite or
 * of the chart library.
 */
export default {
  input: Object.fromEntries(
    ['src/index.ts', ...globSync('src/entries/*.ts')].map((file) => [
      file.slice('src/'.length, -'.ts'.length),
      file,
    ]),
  ),
  external: /^[^./]/,
  checks: { bundlerTimings: false },
  logLevel: 'warn',
  plugins: [dts({ emitDtsOnly: true, tsconfig: 'tsconfig.types.json' })],
  output: { dir: 'dist/types' },
} as const;
