import { KrisisError } from '../../core/index.ts';
import { azure, bedrock, vertex } from './cloud-providers.ts';
import { ollama, openaiCompatible, openrouter } from './compatible-providers.ts';
import { anthropic, google, openai, xai } from './direct-providers.ts';
import type { Provider } from './provider.ts';

const TABLE: Readonly<Record<string, Provider>> = {
  openai,
  anthropic,
  google,
  xai,
  openrouter,
  azure,
  bedrock,
  vertex,
  ollama,
  'openai-compatible': openaiCompatible,
};

/** Names that people use for the same thing. */
const ALIASES: Readonly<Record<string, string>> = { gemini: 'google', grok: 'xai' };

/** The part of a model's name before the slash. */
export const PROVIDERS: readonly string[] = Object.keys(TABLE);

/** Whether a name is one of a model behind a provider that we know: `openai/...`. */
export function isApiModel(model: string): boolean {
  const slash = model.indexOf('/');
  return slash > 0 && lookUp(model.slice(0, slash)) !== null;
}

/** Takes `provider/model` apart. The model's part may have slashes of its own. */
export function findProvider(model: string): { name: string; id: string; provider: Provider } {
  const slash = model.indexOf('/');
  const found = slash < 0 ? null : lookUp(model.slice(0, slash));
  const id = model.slice(slash + 1).trim();
  if (found === null || id === '')
    throw new KrisisError(
      `"${model}" is no model; expected provider/model, e.g. openai/gpt-5-mini; providers are ${PROVIDERS.join(', ')}`,
      { value: model },
    );
  return { ...found, id };
}

function lookUp(prefix: string): { name: string; provider: Provider } | null {
  const name = Object.hasOwn(ALIASES, prefix) ? ALIASES[prefix]! : prefix;
  return Object.hasOwn(TABLE, name) ? { name, provider: TABLE[name]! } : null;
}
