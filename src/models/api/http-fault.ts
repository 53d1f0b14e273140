import type { Fault } from '../backend-error.ts';

/**
 * What kind of trouble an HTTP error is: the status says most of it, and codes and words the rest. The first rule that fits decides; providers agree on little, so what each of them does
 * is named.
 */
export function httpFault(status: number, said: string): Fault {
  return (
    RULES.find(([fits, words]) => fits(status) && (words === null || words.test(said)))?.[2] ?? 'bad_request'
  );
}

type Rule = readonly [fits: (status: number) => boolean, words: RegExp | null, fault: Fault];

const among =
  (...statuses: number[]) =>
  (status: number) =>
    statuses.includes(status);

const RULES: readonly Rule[] = [
  // Azure and OpenAI filter with 400, OpenRouter and xAI with 403.
  [
    among(400, 403, 422),
    /content_filter|content_policy|content management policy|ResponsibleAI|moderation|flagged_input|SAFETY_CHECK|violates? .{0,20}(usage|content)/i,
    'refused',
  ],
  // OpenAI 429, Anthropic 400, xAI 403 and 429. Google says "exceeded your current quota" of a limit per minute, too: only the limit's name tells.
  [among(402), null, 'quota'],
  [
    among(400, 403, 429),
    /insufficient_quota|billing_(hard_limit|not_active)|credit balance|available credits|any credits|insufficient (credits|balance|funds)|spending limit|API usage limits|[a-z]PerDay|limit: 0\b|too many tokens per day/i,
    'quota',
  ],
  // A question larger than all that a minute allows: waiting does not make it smaller.
  [among(429), /request too large/i, 'too_long'],
  [among(429), null, 'rate_limit'],
  [
    among(400, 403, 422),
    /model_not_found|(invalid|unknown)[_ ]model|not a valid model|model identifier is invalid|DeploymentNotFound|model\b.{0,80}\b(does not exist|not found)/i,
    'unknown_model',
  ],
  [among(404, 410), null, 'unknown_model'],
  // Google and xAI answer a wrong key with 400.
  [among(401, 403), null, 'auth'],
  [
    among(400),
    /API_KEY_INVALID|api[ _-]?key (is )?(not valid|invalid|expired|missing)|(incorrect|invalid|expired|missing) (x-)?api[ _-]?key|UNAUTHENTICATED/i,
    'auth',
  ],
  [among(413), null, 'too_long'],
  [
    // Ollama has a question that does not fit as 500.
    among(400, 422, 500),
    /context_length_exceeded|exceed_context|context (length|window|limit|size)|(prompt|input) is too long|input token count|maximum prompt length|string_above_max_length/i,
    'too_long',
  ],
  [among(408), null, 'timeout'],
  [() => true, /overloaded_error/, 'overloaded'],
  [among(502, 503, 504, 529), null, 'overloaded'],
  [(status) => status >= 500 || among(409, 424, 425)(status), null, 'server'],
];
