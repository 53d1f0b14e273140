import { KrisisError } from '../../core/index.ts';
import { findSuite } from '../../domains/find-suite.ts';
import { RunFile } from '../../store/index.ts';
import { loadConfig } from '../config/load-config.ts';
import type { ConfigFlags } from '../options/config-options.ts';
import { noteSensitivity } from '../protected-data.ts';

/**
 * What the records of a run show, by id, from the suite that was run: run files of protected suites do not have it. Undefined without a suite.
 *
 * @throws KrisisError with the code `ERR_REVIEW_PLAN` where the suite is another one, or another version.
 */
export async function suiteRecords(
  name: string | undefined,
  runPath: string,
  flags: ConfigFlags,
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>> | undefined> {
  if (name === undefined) return undefined;
  const { suites } = await loadConfig(flags);
  const suite = await findSuite(name, {}, suites);
  noteSensitivity(suite);
  const { hash } = await suite.describe();
  const run = RunFile.use(runPath, (file) => file.manifest());
  if (run.identity.suiteHash !== hash)
    throw new KrisisError(`${name}: is not the suite of this run, or was changed since`, {
      code: 'ERR_REVIEW_PLAN',
      value: name,
    });
  return new Map((await suite.load()).map(({ id, features }) => [id, features]));
}
