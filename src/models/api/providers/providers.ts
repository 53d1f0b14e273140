import { didYouMean, KrisisError } from '../../../core/index.ts';
import { azure } from './azure.ts';
import { bedrock } from './bedrock.ts';
import { KEYED_PROVIDERS } from './keyed-providers.ts';
import { ollama } from './ollama.ts';
import { openaiCompatible } from './openai-compatible.ts';
import type { Provider } from './provider.ts';
import { vertex } from './vertex.ts';

/** Every provider, in the order of lists and messages. */
export const PROVIDER_LIST: readonly Provider[] = [
  ...KEYED_PROVIDERS,
  azure,
  bedrock,
  vertex,
  ollama,
  openaiCompatible,
];

const BY_NAME: ReadonlyMap<string, Provider> = new Map(
  PROVIDER_LIST.flatMap((provider) =>
    [provider.name, ...(provider.aliases ?? [])].map((name) => [name, provider]),
  ),
);

/** The part of a model's name before the slash. */
export const PROVIDERS: readonly string[] = PROVIDER_LIST.map(({ name }) => name);

/** Whether a name is that of a provider, or another name of one, whatever its letter case. */
export function isProviderName(name: string): boolean {
  return BY_NAME.has(name.toLowerCase());
}

/** Whether a name is that of a model behind a known provider: `openai/...`. */
export function isApiModel(model: string): boolean {
  const slash = model.indexOf('/');
  return slash > 0 && BY_NAME.has(model.slice(0, slash));
}

/** Splits `provider/model`. The model's part may contain slashes. */
export function findProvider(model: string): { id: string; provider: Provider } {
  const slash = model.indexOf('/');
  const provider = slash < 0 ? undefined : BY_NAME.get(model.slice(0, slash));
  const id = model.slice(slash + 1).trim();
  if (provider === undefined || id === '')
    throw new KrisisError(
      `"${model}" is not a model krisis knows; expected provider/model, e.g. openai/gpt-5-mini; ${didYouMean(model.split('/')[0]!, PROVIDERS)}`,
      { value: model, code: 'ERR_MODEL_NOT_FOUND' },
    );
  return { provider, id };
}
