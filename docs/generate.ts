import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandReference } from './make/commands.ts';
import { metricsPage } from './make/metrics.ts';

/** The pages of the docs that are made from the code. `node docs/generate.ts` writes them; a test fails when one is old. */
export const PAGES: Readonly<Record<string, () => Promise<string>>> = {
  'command-reference.md': commandReference,
  'metrics.md': metricsPage,
};

if (import.meta.main)
  for (const [name, write] of Object.entries(PAGES))
    writeFileSync(join(import.meta.dirname, name), await write());
