import { anthropicFormat } from './anthropic-format.ts';
import { bedrockFormat } from './bedrock-format.ts';
import { geminiFormat } from './gemini-format.ts';
import { openaiFormat } from './openai-format.ts';
import type { WireFormat } from './wire-format.ts';
import { xaiResponsesFormat } from './xai-responses-format.ts';

const ENDINGS: readonly (readonly [string, WireFormat])[] = [
  ['/chat/completions', openaiFormat],
  ['/messages', anthropicFormat],
  [':generateContent', geminiFormat],
  ['/responses', xaiResponsesFormat],
  ['/converse', bedrockFormat],
];

/** Whose words a path calls for; whatever stands before the ending is the caller's own affair. */
export function formatOf(url: string): WireFormat | null {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  return ENDINGS.find(([ending]) => path.endsWith(ending))?.[1] ?? null;
}
