import { PROVIDER_LIST } from './providers/providers.ts';

/** A model in the price table. */
export interface KnownModel {
  /** As the provider names it. */
  readonly id: string;
  /** US dollars per million tokens. */
  readonly input: number;
  readonly output: number;
}

/** Models that do not answer in text, and names that are only the beginning of others. */
const OTHER = /embed|image|audio|realtime|transcri|tts|whisper|moderation|voice|sonic|-live|ft[:-]/;
/** Few enough tokens for the price of short prompts, where longer ones cost more. */
const TOKENS = 1000;

/** The models of a provider whose price is known, by name. */
export async function knownModels(priceTable: string | undefined): Promise<KnownModel[]> {
  if (priceTable === undefined) return [];
  const { findProvider } = await import('@pydantic/genai-prices');
  const ids = (findProvider({ providerId: priceTable })?.models ?? [])
    .filter(({ id, deprecated }) => deprecated !== true && !OTHER.test(id))
    .map(({ id }) => id);
  const priced = await Promise.all([...new Set(ids)].map((id) => knownModel(priceTable, id)));
  return priced
    .filter((model) => model !== null)
    .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
}

/** The price of one model; null where it is not known. */
export async function knownModel(priceTable: string | undefined, id: string): Promise<KnownModel | null> {
  if (priceTable === undefined) return null;
  const { calcPrice } = await import('@pydantic/genai-prices');
  const usage = { input_tokens: TOKENS, output_tokens: TOKENS };
  const found = calcPrice(usage, id, { providerId: priceTable });
  if (found === null) return null;
  const perMillion = (price: number) => Number(((price / TOKENS) * 1e6).toPrecision(6));
  return { id, input: perMillion(found.input_price), output: perMillion(found.output_price) };
}

/** The provider that a model's bare name points to: `openai` for `gpt-5-mini`; null where none does. */
export async function providerOfModel(id: string): Promise<string | null> {
  const { findProvider } = await import('@pydantic/genai-prices');
  const table = findProvider({ modelId: id })?.id;
  return (
    PROVIDER_LIST.find(({ priceTable }) => priceTable !== undefined && priceTable === table)?.name ?? null
  );
}
