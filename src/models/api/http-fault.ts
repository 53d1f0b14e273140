import type { Fault } from '../../core/index.ts';

/**
 * The fault of an HTTP error, from its status and from codes and words in its body. The first matching rule decides; providers agree on little, so the rules name what each of them
 * does.
 */
export function httpFault(status: number, said: string): Fault {
  const rule = RULES.find(
    ([statuses, words]) => (statuses?.includes(status) ?? true) && (words?.test(said) ?? true),
  );
  return rule?.[2] ?? (status >= 500 ? 'server' : 'bad_request');
}

/** Null stands for any status, or for any words. */
type Rule = readonly [statuses: readonly number[] | null, words: RegExp | null, fault: Fault];

const RULES: readonly Rule[] = [
  // Filters: Azure and OpenAI answer 400, OpenRouter and xAI 403.
  [
    [400, 403, 422],
    /content_filter|content_policy|content management policy|ResponsibleAI|moderation|flagged_input|SAFETY_CHECK|violates? .{0,20}(usage|content)/i,
    'refused',
  ],
  // OpenAI 429, Anthropic 400, xAI 403 and 429. Google also says "exceeded your current quota" for a limit per minute: only the name of the limit differs.
  [[402], null, 'quota'],
  [
    [400, 403, 429],
    /insufficient_quota|billing_(hard_limit|not_active)|credit balance|available credits|any credits|insufficient (credits|balance|funds)|spending limit|API usage limits|[a-z]PerDay|limit: 0\b|too many tokens per day/i,
    'quota',
  ],
  // A question larger than the limit per minute: waiting does not help.
  [[429], /request too large/i, 'too_long'],
  [[429], null, 'rate_limit'],
  [
    [400, 403, 422],
    /model_not_found|(invalid|unknown)[_ ]model|not a valid model|model identifier is invalid|DeploymentNotFound|model\b.{0,80}\b(does not exist|not found)/i,
    'unknown_model',
  ],
  [[404, 410], null, 'unknown_model'],
  // Google and xAI answer a wrong key with 400.
  [[401, 403], null, 'auth'],
  [
    [400],
    /API_KEY_INVALID|api[ _-]?key (is )?(not valid|invalid|expired|missing)|(incorrect|invalid|expired|missing) (x-)?api[ _-]?key|UNAUTHENTICATED/i,
    'auth',
  ],
  [[413], null, 'too_long'],
  [
    // Ollama answers a question that does not fit with 500.
    [400, 422, 500],
    /context_length_exceeded|exceed_context|context (length|window|limit|size)|(prompt|input) is too long|input token count|maximum prompt length|string_above_max_length/i,
    'too_long',
  ],
  [[408], null, 'timeout'],
  [null, /overloaded_error/, 'overloaded'],
  [[502, 503, 504, 529], null, 'overloaded'],
  [[409, 424, 425], null, 'server'],
];
