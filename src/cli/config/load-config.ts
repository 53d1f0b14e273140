import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createJiti } from 'jiti';
import { parse } from 'yaml';
import { z } from 'zod';
import { KrisisError } from '../../core/index.ts';
import { configKeys } from '../options/option.ts';
import { RUN_OPTIONS } from '../options/run-options.ts';
import { SCORE_OPTIONS } from '../options/score-options.ts';
import type { KrisisConfig } from './config.ts';

const CONFIG_NAMES = [
  'krisis.config.ts',
  'krisis.config.mts',
  'krisis.config.js',
  'krisis.config.mjs',
  'krisis.config.yaml',
  'krisis.config.yml',
];

/** Entries of the package besides `krisis` itself, as in the `exports` of package.json. */
const ENTRIES = ['ckd', 'metrics', 'models', 'records', 'results', 'rubrics', 'statistics', 'store'];

/** Objects whose named fields are functions, as the `define...` function of the library makes them. */
const madeWith = (define: string, ...functions: string[]) =>
  z
    .array(
      z.looseObject({
        name: z.string().min(1),
        ...Object.fromEntries(
          functions.map((name) => [
            name,
            z.custom<unknown>(
              (value) => typeof value === 'function',
              `expected a function: make it with ${define}`,
            ),
          ]),
        ),
      }),
    )
    .optional();

const configSchema = z.strictObject({
  score: z
    .strictObject({
      ...configKeys(SCORE_OPTIONS, 'score'),
      deferralCosts: z
        .strictObject({ missed: z.number().optional(), needless: z.number().optional() })
        .optional(),
      breakdown: z.boolean().optional(),
      nullBand: z.boolean().optional(),
    })
    .optional(),
  run: z
    .strictObject({
      ...configKeys(RUN_OPTIONS, 'run'),
      retryBaseSeconds: z.number().gt(0).optional(),
      retryMaxSeconds: z.number().gt(0).optional(),
    })
    .optional(),
  allowEgress: z.array(z.string()).optional(),
  suites: madeWith('defineSuite', 'load', 'describe'),
  backends: madeWith('defineBackend', 'evaluate', 'evaluateBatch'),
  metrics: madeWith('defineMetric', 'compute'),
});

/** Reads the config file at `path`, or the one in this folder, or gives an empty config when there is none. */
export async function loadConfig(path: string | undefined, folder = process.cwd()): Promise<KrisisConfig> {
  const name = path ?? CONFIG_NAMES.find((candidate) => existsSync(resolve(folder, candidate)));
  if (name === undefined) return {};
  const file = resolve(folder, name);
  if (!existsSync(file))
    throw new KrisisError(`${name}: no such file; expected a krisis.config.ts or .yaml`, { value: name });
  const found = /\.ya?ml$/i.test(file) ? await readYaml(file, name) : await readModule(file, name);
  const parsed = configSchema.safeParse(found ?? {});
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new KrisisError(`${name}: ${issue.path.join('.') || 'config'}: ${issue.message}`, { value: found });
  }
  return found as KrisisConfig;
}

async function readYaml(file: string, name: string): Promise<unknown> {
  try {
    return parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new KrisisError(`${name}: not YAML: ${(cause as Error).message.split('\n')[0]}`, { cause });
  }
}

/**
 * `import 'krisis'` in a config, and `krisis/metrics` and the like, are this very package as it runs, whether or not it is installed beside the config: a second copy would throw errors
 * that the command does not know.
 */
async function readModule(file: string, name: string): Promise<unknown> {
  const source = await readFile(file, 'utf8');
  const jiti = createJiti(pathToFileURL(file).href, {
    virtualModules: await ownModules(source),
    fsCache: false,
    interopDefault: false,
  });
  try {
    const module = await jiti.import<{ default?: unknown }>(file);
    if (module.default === undefined)
      throw new Error('it has no default export; write: export default defineConfig({ ... })');
    return module.default;
  } catch (cause) {
    throw new KrisisError(`${name}: cannot be loaded: ${(cause as Error).message.split('\n')[0]}`, { cause });
  }
}

/** The entries of the package. Those that the config does not name are not loaded: they would slow down every command. */
async function ownModules(source: string): Promise<Record<string, Record<string, unknown>>> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const load = (path: string) => import(new URL(`../../${path}.${extension}`, import.meta.url).href);
  const named = ENTRIES.filter((entry) => source.includes(`krisis/${entry}`));
  const entries = await Promise.all(
    named.map(async (entry) => [`krisis/${entry}`, await load(`entries/${entry}`)]),
  );
  return { krisis: await load('index'), ...Object.fromEntries(entries) };
}
