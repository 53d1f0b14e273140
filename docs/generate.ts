import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandReference } from './make/commands.ts';
import { configurationPage } from './make/configuration.ts';
import { errorsPage } from './make/errors.ts';
import { metricsPage } from './make/metrics.ts';
import { providersPage } from './make/providers.ts';
import { jsonPage, SCHEMA_FILES } from './make/schemas.ts';
import { suiteCardsPage } from './make/suite-cards.ts';
import { suiteKeysPage } from './make/suite-keys.ts';

/** The pages of the docs that are made from the code. `node docs/generate.ts` writes them; a test fails when one is old. */
export const PAGES: Readonly<Record<string, () => Promise<string>>> = {
  'command-reference.md': commandReference,
  'configuration.md': configurationPage,
  'errors.md': errorsPage,
  'json-output.md': jsonPage,
  'metrics.md': metricsPage,
  'provider-list.md': providersPage,
  'suite-cards.md': suiteCardsPage,
  'suite-keys.md': suiteKeysPage,
  ...SCHEMA_FILES,
};

if (import.meta.main)
  for (const [name, write] of Object.entries(PAGES))
    writeFileSync(join(import.meta.dirname, name), await write());
