import { z } from 'zod';
import { analysisOptionsSchema } from '../../src/analyses/registry.ts';
import { type OptionSpec, typedAs } from '../../src/cli/options/option.ts';
import { RUN_CONFIG, RUN_OPTIONS } from '../../src/cli/options/run-options.ts';
import { SCORE_CONFIG, SCORE_OPTIONS } from '../../src/cli/options/score-options.ts';
import { code, NOTE, table } from './markdown.ts';

/** Every key of the config file, from the declarations that check it. */
export async function configurationPage(): Promise<string> {
  return [
    '# Configuration',
    '',
    NOTE,
    '',
    'A file `krisis.config.ts`, `.js` or `.yaml` in the folder where you run Krisis holds settings, and in TypeScript your own metrics, suites and backends. `--config FILE` names another. What you type wins. `krisis init` writes a config that works.',
    '',
    'Krisis runs a config program that it finds in the folder only after you have confirmed it. The keys `allowEgress`, `keepText` and an address elsewhere in `baseUrl` count only in a config named by `--config`. [The threat model](threat-model.md) says why. Keys of providers do not belong in this file: they come from the environment.',
    '',
    '```ts',
    ...SAMPLE,
    '```',
    '',
    'In the file itself, write `export default defineConfig({ ... })`. In YAML the keys are the same.',
    '',
    '## The top level',
    '',
    ...table(
      ['key', 'meaning'],
      [
        ['`score`', 'how `krisis score` scores'],
        ['`run`', 'how `krisis run` runs'],
        ['`analyses`', 'options of analyses, by id'],
        ['`allowEgress`', 'who may receive protected data: a list of providers and hosts'],
        ['`suites`, `backends`', 'your own, made with `defineSuite`, `defineTableSuite`, `defineBackend`'],
        [
          '`metrics`, `extraMetrics`',
          'metrics in place of the bundle, or beside it, made with `defineMetric`',
        ],
      ],
    ),
    '',
    '## score',
    '',
    ...section('score', SCORE_OPTIONS, SCORE_CONFIG),
    '',
    '## run',
    '',
    'Settings that do not apply to a suite are ignored here; as a typed flag they are an error. `seed`, `bootstrap`, `cluster` and `groupBy` of a run are flags only.',
    '',
    ...section('run', RUN_OPTIONS, RUN_CONFIG),
    '',
    '## analyses',
    '',
    '`krisis report` and the command of the analysis read them. The viewer takes the same names in its address: `#/runs/RUN?threshold.risk=0.1`.',
    '',
    ...table(
      ['key', 'value', 'meaning'],
      Object.entries(analysisOptionsSchema.shape).flatMap(([id, options]) =>
        Object.entries(options.unwrap().shape as Record<string, z.ZodType>).map(([name, schema]) => [
          code(`${id}.${name}`),
          describeValue(schema),
          schema.description ?? '',
        ]),
      ),
    ),
    '',
  ].join('\n');
}

const SAMPLE = [
  "import { defineConfig } from 'krisis';",
  '',
  'const config = defineConfig({',
  "  run: { model: ['openai/gpt-5-mini', 'ollama/llama3.2'], limit: 200, budget: 5 },",
  "  score: { task: 'detection', positiveLabel: 'present', groupBy: ['sex', 'age'] },",
  '});',
  'config.run!.limit // => 200',
];

function section(
  name: 'score' | 'run',
  options: Readonly<Record<string, OptionSpec>>,
  more: z.ZodObject,
): string[] {
  const specs = Object.entries(options).filter(([, { config }]) => config === name);
  return table(
    ['key', 'value', 'typed as', 'meaning'],
    [
      ...specs.map(([key, spec]) => [
        code(key),
        describeValue(spec.schema),
        code(spec.isSetting ? typedAs(key, spec) : /--[\w-]+/.exec(spec.flags)![0]),
        spec.description,
      ]),
      ...Object.entries(more.shape as Record<string, z.ZodType>).map(([key, schema]) => [
        code(key),
        describeValue(schema),
        '',
        schema.description ?? '',
      ]),
    ],
  );
}

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** What kind of value a schema takes, in a few words. */
function describeValue(schema: z.ZodType): string {
  return describe(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as JsonSchema);
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
};

function describe(schema: JsonSchema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(describe))].filter(Boolean).join(' or ');
  if (schema.enum) return schema.enum.map((one) => code(String(one))).join(', ');
  if (schema.const !== undefined) return code(String(schema.const));
  if (schema.type === 'array') return `list${schema.items ? ` of ${describe(schema.items)}` : ''}`;
  if (schema.type === 'object')
    return schema.properties ? code(`{ ${Object.keys(schema.properties).join(', ')} }`) : 'object';
  return [schema.type ?? []]
    .flat()
    .map((type) => WORDS[type] ?? type)
    .join(' or ');
}
