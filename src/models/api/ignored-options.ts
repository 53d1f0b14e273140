import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';

const FLAGS: Readonly<Record<string, string>> = {
  temperature: '--temperature',
  reasoning: '--reasoning-effort',
  reasoningEffort: '--reasoning-effort',
};

/**
 * What an SDK left out or changed of what the user asked for, in words; null when it did as told. A run that says "temperature 0" and was not at 0 would be wrong
 * about itself, so this ends it.
 */
export function unheeded(warnings: LanguageModelV4GenerateResult['warnings']): string | null {
  for (const warning of warnings) {
    if (warning.type !== 'unsupported' && warning.type !== 'compatibility') continue;
    const flag = FLAGS[warning.feature];
    if (flag === undefined) continue;
    const why = warning.details === undefined ? '' : ` (${warning.details})`;
    return `this model does not take ${flag} as given${why}; leave it out or give another value`;
  }
  return null;
}
