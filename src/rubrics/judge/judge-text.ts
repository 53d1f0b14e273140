import type { PromptMessage } from '../../core/index.ts';
import TEXT from './judge-text.json' with { type: 'json' };

/** Question and answer between lines that no text in them can hold. */
export const FENCED: string = TEXT.fenced.join('\n');

/** The judge's instructions, with every slot still marked. Neither says which items are required and which are forbidden. */
export const JUDGE_TEMPLATE: readonly PromptMessage[] = template([]);
export const REPAIR_TEMPLATE: readonly PromptMessage[] = template([TEXT.again.join('\n')]);

function template(before: readonly string[]): PromptMessage[] {
  const system = [TEXT.opening, TEXT.data, TEXT.instructions.join('\n')];
  const user = [FENCED, TEXT.asked.join('\n'), ...before, TEXT.closing];
  return [
    { role: 'system', content: system.join('\n\n') },
    { role: 'user', content: user.join('\n\n') },
  ];
}
