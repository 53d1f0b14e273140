import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { krisisProcess } from './krisis.ts';

interface CoverageFile {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { startOffset: number; count: number }[] }[];
  }[];
}

/** Our source files that commands, run one after the other in a folder, load, and those in which a function runs. */
export function sourceCoverage(commands: readonly (readonly string[])[], cwd: string) {
  const coverage = mkdtempSync(join(tmpdir(), 'krisis-coverage-'));
  const loaded = new Set<string>();
  const executed = new Set<string>();
  try {
    const env = { ...process.env, NODE_V8_COVERAGE: coverage };
    const ran = commands.map((args) => krisisProcess(args, { cwd, env }));
    for (const name of readdirSync(coverage)) {
      const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as CoverageFile;
      for (const { url, functions } of result) {
        const path = url.startsWith('file:') ? relative('.', fileURLToPath(url)) : '';
        if (!path.startsWith('src')) continue;
        loaded.add(path);
        // The function at offset 0 is the module, which runs when it is loaded.
        if (functions.some(({ ranges: [whole] }) => whole!.startOffset > 0 && whole!.count > 0))
          executed.add(path);
      }
    }
    return { ran, loaded, executed };
  } finally {
    rmSync(coverage, { recursive: true });
  }
}
