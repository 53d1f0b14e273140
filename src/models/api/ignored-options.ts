import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';

/** Names of the options that shape answers, by the feature an SDK names in its warning. */
const OPTIONS: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  reasoning: 'reasoningEffort',
  reasoningEffort: 'reasoningEffort',
};

/**
 * The first option that an SDK dropped or changed, as a sentence; null when it sent all of them. A run that states "temperature 0" must not have used another temperature,
 * so this stops it.
 */
export function ignoredOption(warnings: LanguageModelV4GenerateResult['warnings']): string | null {
  for (const warning of warnings) {
    if (warning.type !== 'unsupported' && warning.type !== 'compatibility') continue;
    const option = OPTIONS[warning.feature];
    if (option === undefined) continue;
    const why = warning.details === undefined ? '' : ` (${warning.details})`;
    return `this model does not accept ${option} as given${why}; leave it out or give another value`;
  }
  return null;
}
