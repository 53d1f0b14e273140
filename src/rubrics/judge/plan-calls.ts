import { textKey } from '../traits/metric-trait-rules.ts';
import type { AskedItem, AskedPart, AskedTrait } from './asked.ts';

/** What one call to a judge asks for. */
export interface JudgeCall extends AskedPart {
  readonly maxOutputTokens: number;
}

/** About four characters a token. */
const CHARACTERS_PER_TOKEN = 4;
const TOKENS_TO_REASON = 2_048;
/** Room for an entry with a quote of several lines. */
const TOKENS_PER_ENTRY = 256;
/** What an entry takes as a rule; calls are planned with this. */
const USUAL_TOKENS_PER_ENTRY = 128;
/** Every current model can write at least this many. */
const MAX_OUTPUT_TOKENS = 16_384;
/** Of items, in one call: with longer lists judges lose count. */
const MAX_ITEM_TOKENS = 12_000;

/**
 * Splits what a judge is asked into calls whose replies fit the output limit. The items keep their order; the traits go with the first call. A call has at least one item, however small the limit.
 *
 * @example
 * ```ts
 * const items = Array.from({ length: 200 }, (_, i) => ({ id: `${i}`, instruction: `Mentions ${i}` }));
 * planCalls(items, []).map((call) => call.items.length) // => [112, 88]
 * planCalls(items.slice(0, 20), [], 4096).map((call) => call.items.length) // => [16, 4]
 * ```
 */
export function planCalls(
  items: readonly AskedItem[],
  traits: readonly AskedTrait[],
  maxOutputTokens?: number,
): JudgeCall[] {
  const most = maxOutputTokens ?? MAX_OUTPUT_TOKENS;
  const room = most - Math.min(TOKENS_TO_REASON, most / 2);
  const chunks: AskedItem[][] = [[]];
  let output = traits.length * USUAL_TOKENS_PER_ENTRY;
  let input = 0;
  for (const item of items) {
    const reply = countEntries(item) * USUAL_TOKENS_PER_ENTRY;
    const asked = (item.instruction.length + (item.scope?.length ?? 0)) / CHARACTERS_PER_TOKEN + 20;
    if (chunks.at(-1)!.length > 0 && (output + reply > room || input + asked > MAX_ITEM_TOKENS)) {
      chunks.push([]);
      output = 0;
      input = 0;
    }
    chunks.at(-1)!.push(item);
    output += reply;
    input += asked;
  }
  return chunks.map((chunk, i) => {
    const own = i === 0 ? traits : [];
    const entries = chunk.reduce((sum, item) => sum + countEntries(item), own.length);
    const enough = TOKENS_TO_REASON + TOKENS_PER_ENTRY * entries;
    return {
      items: chunk,
      traits: own,
      maxOutputTokens: maxOutputTokens ?? Math.min(enough, MAX_OUTPUT_TOKENS),
    };
  });
}

/** The same in two calls, for a reply that was cut off; null where there is nothing to split. */
export function splitCall({ items, traits, maxOutputTokens }: JudgeCall): JudgeCall[] | null {
  if (items.length < 2) return null;
  const half = Math.ceil(items.length / 2);
  return [
    { items: items.slice(0, half), traits, maxOutputTokens },
    { items: items.slice(half), traits: [], maxOutputTokens },
  ];
}

/** How many quotes to expect. */
function countEntries({ allQuotes }: AskedItem): number {
  return allQuotes === true ? 4 : 1;
}

/**
 * Merges items of several traits that have the same instruction, so that a judge is asked once: verdicts on one claim cannot differ, and cost one entry. Backgrounds are joined. Items with different
 * typed checks stay apart. `idsOf` lists, by the id that is asked, every id with the same instruction.
 *
 * @example
 * ```ts
 * const { items, idsOf } = askedOnce([
 *   { id: 'a', instruction: 'Mentions NSAIDs', scope: 'Drugs' },
 *   { id: 'b', instruction: 'mentions NSAIDs ', scope: 'Kidney' },
 * ]);
 * items // => [{ id: 'a', instruction: 'Mentions NSAIDs', scope: 'Drugs / Kidney' }]
 * idsOf.get('a') // => ['a', 'b']
 * ```
 */
export function askedOnce(items: readonly AskedItem[]) {
  const groups = Map.groupBy(items, ({ instruction, check }) =>
    JSON.stringify([textKey(instruction), check ?? null]),
  );
  const merged = [...groups.values()].map((group): AskedItem => {
    const scopes = [...new Set(group.flatMap(({ scope }) => (scope ? [scope] : [])))];
    return {
      ...group[0]!,
      ...(scopes.length > 0 && { scope: scopes.join(' / ') }),
      ...(group.some(({ allQuotes }) => allQuotes === true) && { allQuotes: true }),
    };
  });
  const groupIds = [...groups.values()].map((group) => [group[0]!.id, group.map(({ id }) => id)] as const);
  return { items: merged, idsOf: new Map(groupIds) };
}
