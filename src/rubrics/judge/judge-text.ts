import type { PromptMessage } from '../../core/index.ts';
import TEXT from './judge-text.json' with { type: 'json' };

/** Question and answer between lines that no text in them can hold. */
export const FENCED: string = TEXT.fenced.join('\n');

/** The prompts of a judge, with every slot still marked. Neither says which items are required and which are forbidden. */
interface JudgeTemplates {
  readonly first: readonly PromptMessage[];
  readonly repair: readonly PromptMessage[];
}

const made = new Map<string | null, JudgeTemplates>();

/**
 * The prompts with rules of the user's own in place of the built-in opening and rules; what protects the data, the verdicts, the quotes and the form of the reply stay as they are. One object for each text,
 * because a run file stores each object once.
 */
export function judgeTemplates(rules: string | null = null): JudgeTemplates {
  let templates = made.get(rules);
  if (templates === undefined) {
    templates = { first: template(rules, []), repair: template(rules, [TEXT.again.join('\n')]) };
    made.set(rules, templates);
  }
  return templates;
}

/** The built-in prompts. */
export const { first: JUDGE_TEMPLATE, repair: REPAIR_TEMPLATE } = judgeTemplates();

function template(rules: string | null, before: readonly string[]): PromptMessage[] {
  const system = rules === null ? [TEXT.opening, TEXT.data, TEXT.instructions.join('\n')] : ownSystem(rules);
  const user = [FENCED, TEXT.asked.join('\n'), ...before, TEXT.closing];
  return [
    { role: 'system', content: system.join('\n\n') },
    { role: 'user', content: user.join('\n\n') },
  ];
}

function ownSystem(rules: string): string[] {
  const { instructions } = TEXT;
  const [from, to] = [instructions.indexOf('Rules:'), instructions.indexOf('Quotes:')];
  // A mark of a slot in the user's text is text.
  const own = rules.trim().replaceAll('{{', '{ {');
  return [own, TEXT.data, instructions.slice(0, from).join('\n').trim(), instructions.slice(to).join('\n')];
}
