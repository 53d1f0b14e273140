import {
  describeProvider,
  type KnownModel,
  listProviders,
  type ProviderInfo,
} from '../models/api/provider-info.ts';
import { BASELINES } from '../models/baselines/create-baseline.ts';
import { LEXICAL_JUDGE } from '../models/judge.ts';
import { PERSONALITIES } from '../models/simulated/personality.ts';
import type { KrisisConfig } from './config/config.ts';

/** Models that need no key. */
export const LOCAL_MODELS = {
  baselines: [
    ...BASELINES.map((baseline) => `baseline/${baseline}`),
    LEXICAL_JUDGE.name,
    'baseline/reference',
  ],
  simulated: Object.keys(PERSONALITIES).map((personality) => `simulated/${personality}`),
};

const PRICE_TITLE = 'US dollars per million tokens, in and out:';

/** What can be asked, and what it costs: for programs, and for people. */
export async function listModels(
  config: KrisisConfig,
): Promise<{ readonly json: object; readonly text: string }> {
  const own = (config.backends ?? []).map((backend) => backend.name);
  const providers = await listProviders();
  return {
    json: { ...LOCAL_MODELS, backends: own, providers: providers.map(providerObject) },
    text: `${localText(own)}\n${providersText(providers)}\n${pricesText(providers)}\nkrisis check openai: which variables to set, and every price that is known.\nOther names of models work too.\n`,
  };
}

/** One provider with its models and prices. */
export async function showProvider(name: string): Promise<{ readonly json: object; readonly text: string }> {
  const provider = await describeProvider(name);
  return {
    json: { ...providerObject(provider), models: provider.models.map(priceObject) },
    text: oneText(provider),
  };
}

function providerObject({ name, aliases, key, keyVariables, missing, host, examples }: ProviderInfo) {
  return {
    name,
    aliases,
    key,
    key_variables: keyVariables,
    missing,
    host,
    examples: examples.map(priceObject),
  };
}

function priceObject({ id, input, output }: Partial<KnownModel>) {
  return { id, input_usd_per_million: input ?? null, output_usd_per_million: output ?? null };
}

function localText(own: readonly string[]): string {
  const lines = [
    ['baseline/', `${BASELINES.slice(0, 5).join(', ')},`],
    ['', BASELINES.slice(5).join(', ')],
    ['', 'for open questions: reference (answers), lexical (judges)'],
    ['simulated/', Object.keys(PERSONALITIES).join(', ')],
    ['replay/FILE', 'answers from a file'],
    ...(own.length === 0 ? [] : [['your config', own.join(', ')]]),
  ];
  return `Models that need no key\n${table(lines)}`;
}

function providersText(providers: readonly ProviderInfo[]): string {
  const rows = providers.map(({ name, key, host, missing }) => [
    `${name}/`,
    key.replace('_', ' '),
    host ?? (missing === null ? '-' : 'address not set'),
  ]);
  return `Providers\n${table([['name', 'key', 'called at'], ...rows])}`;
}

function pricesText(providers: readonly ProviderInfo[]): string {
  const rows = providers.flatMap(({ name, examples }) =>
    examples.map((model) => [`${name}/${model.id}`, ...prices(model)]),
  );
  return `Examples. ${PRICE_TITLE}\n${table(rows, 1)}`;
}

function oneText(provider: ProviderInfo & { readonly models: readonly KnownModel[] }): string {
  const { name, host, key, keyVariables, missing, models, examples } = provider;
  const facts = [
    `called at: ${host ?? 'address not set'}`,
    `key: ${key.replace('_', ' ')}${keyVariables.length === 0 ? '' : ` (${keyVariables.join(', ')})`}`,
    ...(missing === null ? [] : [missing]),
  ];
  const listed = models.length > 0 ? models : examples;
  const rows = listed.map((model) => [`${name}/${model.id}`, ...prices(model)]);
  const title = models.length > 0 ? PRICE_TITLE : 'No prices are known. Example:';
  return `${name}\n${facts.map((fact) => `  ${fact}\n`).join('')}\n${title}\n${table(rows, 1)}`;
}

function prices({ input, output }: Partial<KnownModel>): string[] {
  return input === undefined || output === undefined ? ['-', '-'] : [input.toFixed(2), output.toFixed(2)];
}

/** Rows in columns; from column `right` on they are aligned to the right. */
function table(rows: readonly (readonly string[])[], right = Number.POSITIVE_INFINITY): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const pad = (text: string, column: number) =>
    column >= right ? text.padStart(widths[column]!) : text.padEnd(widths[column]!);
  return rows.map((row) => `  ${row.map(pad).join('  ')}`.trimEnd().concat('\n')).join('');
}
