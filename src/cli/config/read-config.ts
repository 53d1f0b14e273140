import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createJiti } from 'jiti';
import { parse } from 'yaml';
import { z } from 'zod';
import { analysisOptionsSchema } from '../../analyses/registry.ts';
import { KrisisError } from '../../core/errors.ts';
import { didYouMean, nearNames } from '../../core/near-names.ts';
import { yamlProblem } from '../../rubrics/rubric.ts';
import { configKeys } from '../options/option.ts';
import { RUN_CONFIG, RUN_OPTIONS } from '../options/run-options.ts';
import { SCORE_CONFIG, SCORE_OPTIONS } from '../options/score-options.ts';
import type { KrisisConfig } from './config.ts';
import { isProgram } from './confirm-program.ts';

/** Entries of the package besides `krisis` itself, as in the `exports` of package.json. */
const ENTRIES = {
  'krisis/ckd': () => import('../../entries/ckd.ts'),
  'krisis/diabetes': () => import('../../entries/diabetes.ts'),
  'krisis/hypertension': () => import('../../entries/hypertension.ts'),
  'krisis/metrics': () => import('../../entries/metrics.ts'),
  'krisis/models': () => import('../../entries/models.ts'),
  'krisis/records': () => import('../../entries/records.ts'),
  'krisis/results': () => import('../../entries/results.ts'),
  'krisis/rubrics': () => import('../../entries/rubrics.ts'),
  'krisis/statistics': () => import('../../entries/statistics.ts'),
  'krisis/store': () => import('../../entries/store.ts'),
};

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

const SECTIONS = {
  score: z
    .strictObject({ ...configKeys(SCORE_OPTIONS, 'score'), ...SCORE_CONFIG.partial().shape })
    .optional(),
  run: z.strictObject({ ...configKeys(RUN_OPTIONS, 'run'), ...RUN_CONFIG.partial().shape }).optional(),
  analyses: analysisOptionsSchema.optional(),
  allowEgress: z.array(z.string()).optional(),
  suites: madeWith('defineSuite', 'load', 'describe'),
  backends: madeWith('defineBackend', 'evaluate', 'evaluateBatch'),
  metrics: madeWith('defineMetric', 'compute'),
  extraMetrics: madeWith('defineMetric', 'compute'),
};

const configSchema = z.strictObject(SECTIONS);

/** The keys at the top level of a config. */
export const SECTION_NAMES: readonly string[] = Object.keys(SECTIONS);

/** Every key of the config with the section it belongs to; the top level is ''. */
const KEYS = [
  ...Object.keys(SECTIONS).map((name) => ({ section: '', name })),
  ...(['score', 'run'] as const).flatMap((section) =>
    Object.keys(SECTIONS[section].unwrap().shape).map((name) => ({ section, name })),
  ),
  ...Object.entries(analysisOptionsSchema.shape).flatMap(([id, options]) => [
    { section: 'analyses', name: id },
    ...Object.keys(options.unwrap().shape).map((name) => ({ section: `analyses.${id}`, name })),
  ]),
];

function configError(
  message: string,
  facts: { readonly value?: unknown; readonly cause?: unknown },
): KrisisError {
  return new KrisisError(message, { code: 'ERR_CONFIG', ...facts });
}

/** What is wrong at one place of the config. An unknown key may be misspelled, or belong to another section. */
function issueLines(issue: z.core.$ZodIssue): string[] {
  const place = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys') return [`${place || 'config'}: ${issue.message}`];
  return issue.keys.map((key) => `${place === '' ? key : `${place}.${key}`}: ${unknownKeyText(key, place)}`);
}

function unknownKeyText(key: string, section: string): string {
  const siblings = KEYS.filter(({ section: other }) => other === section).map(({ name }) => name);
  const elsewhere = KEYS.filter(({ name }) => name === key);
  if (nearNames(key, siblings).length > 0) return `no such key; ${didYouMean(key, siblings)}`;
  if (elsewhere.length > 0)
    return `not a key here; it belongs under ${elsewhere.map((one) => one.section || 'the top level').join(' or ')}`;
  const [near] = nearNames(
    key,
    KEYS.map(({ name }) => name),
  );
  const meant = KEYS.find(({ name }) => name === near);
  if (meant !== undefined)
    return `no such key; did you mean ${meant.section && `${meant.section}.`}${meant.name}?`;
  return `no such key; ${didYouMean(key, siblings)}`;
}

/** Reads and checks a config file; a program is run. */
export async function readConfig(name: string): Promise<KrisisConfig> {
  const file = resolve(name);
  if (!existsSync(file))
    throw configError(`${name}: no such file; expected a krisis.config.ts or .yaml`, { value: name });
  if (!statSync(file).isFile())
    throw configError(`${name}: it is not a regular file; expected a krisis.config.ts or .yaml`, {
      value: name,
    });
  const content = isProgram(file) ? await readModule(file, name) : await readYaml(file, name);
  const parsed = configSchema.safeParse(content ?? {});
  if (!parsed.success)
    throw configError(
      parsed.error.issues
        .flatMap(issueLines)
        .map((line) => `${name}: ${line}`)
        .join('\n'),
      { value: content },
    );
  return (content ?? {}) as KrisisConfig;
}

async function readYaml(file: string, name: string): Promise<unknown> {
  try {
    return parse(await readFile(file, 'utf8'), { logLevel: 'error' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall !== undefined) throw cause;
    throw configError(`${name}: not YAML: ${yamlProblem(cause as Error)}`, { cause });
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
    const { message } = cause as Error;
    // The place is on a line of its own, after the path of the file.
    const [, line, column] =
      /:(\d+):(\d+)/.exec(message.slice(message.indexOf('\n'))) ?? placeOfSyntax(cause);
    const place = line === undefined ? '' : ` (line ${line}, column ${column})`;
    throw configError(`${name}: cannot be loaded: ${message.split('\n')[0]!.trim()}${place}`, { cause });
  }
}

/** Where a syntax error is, as the parsers of the loader say it: in the text of the message, or in its fields. */
function placeOfSyntax(cause: unknown): readonly (string | undefined)[] {
  const { loc, line, column } = cause as {
    readonly loc?: { readonly line?: number; readonly column?: number };
    readonly line?: number;
    readonly column?: number;
  };
  const [, inText, at] = /\((\d+):(\d+)\)/.exec((cause as Error).message) ?? [];
  return ['', inText ?? loc?.line ?? line, at ?? loc?.column ?? column].map((part) =>
    part === undefined ? undefined : String(part),
  );
}

/** The entries of the package. Those that the config does not name are not loaded: they would slow down every command. */
async function ownModules(source: string): Promise<Record<string, Record<string, unknown>>> {
  const named = Object.entries(ENTRIES).filter(([entry]) => source.includes(entry));
  const entries = await Promise.all(named.map(async ([entry, load]) => [entry, await load()]));
  return { krisis: await import('../../index.ts'), ...Object.fromEntries(entries) };
}
