import { contentHash, type PromptMessage } from '../../core/index.ts';
import { VERDICTS } from '../verdict.ts';
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

/** What can be wrong with a judge's reply, in the words of the repair prompt. Part of the prompt's hash: another wording is another instrument. */
export const PROBLEM_TEXTS = TEXT.problems;

export type ProblemCode = keyof typeof PROBLEM_TEXTS;

/** One thing wrong with a reply: with an item, with a trait, or with the whole (both null). */
export interface JudgeProblem {
  readonly code: ProblemCode;
  readonly id: string | null;
  readonly trait: string | null;
  /** More exactly: why a reply is unreadable, or what a call failed of. */
  readonly detail?: string;
}

export function problemLine({ code, id, trait }: JudgeProblem): string {
  const about = id ?? trait;
  return about === null ? `- ${PROBLEM_TEXTS[code]}` : `- ${JSON.stringify(about)}: ${PROBLEM_TEXTS[code]}`;
}

/** As stored: the code, with the detail where there is one. */
export function problemReason({ code, detail }: Pick<JudgeProblem, 'code' | 'detail'>): string {
  return detail === undefined ? code : `${code}_${detail}`;
}

/** What each verdict means, in the words that a judge gets: people who label the same items go by the same definitions. */
export const VERDICT_DEFINITIONS: Readonly<Record<string, string>> = Object.fromEntries(
  VERDICTS.map((verdict) => {
    const start = `- ${verdict}: `;
    const line = TEXT.instructions.find((one) => one.startsWith(start)) ?? start;
    return [verdict, `${line.charAt(start.length).toUpperCase()}${line.slice(start.length + 1)}`];
  }),
);

/**
 * The template with its slots filled, all in one pass: the mark of a slot inside what is filled in stays as it is. A slot that is not given stays marked.
 *
 * @example
 * ```ts
 * fillSlots([{ role: 'user', content: '{{a}} and {{b}}' }], { a: '{{b}}', b: '$&' })[0].content // => '{{b}} and $&'
 * ```
 */
export function fillSlots(
  template: readonly PromptMessage[],
  slots: Readonly<Record<string, string>>,
): PromptMessage[] {
  return template.map(({ role, content }) => ({
    role,
    content: content.replace(/\{\{(\w+)\}\}/g, (mark, name: string) =>
      Object.hasOwn(slots, name) ? slots[name]! : mark,
    ),
  }));
}

/**
 * A code for the lines that delimit untrusted texts in a prompt (the slot `{{fence}}`). No such text can contain it: it is a hash of those very texts, so their author
 * cannot know it beforehand, and a text that contains it by chance gets another code. The same texts get the same code.
 *
 * @example
 * ```ts
 * delimiterCode(['What is CKD?', 'A disease.']).length // => 16
 * delimiterCode(['a']) === delimiterCode(['b']) // => false
 * ```
 */
export function delimiterCode(texts: readonly string[], length = 16): string {
  const held = texts.map((text) => text.toLowerCase());
  for (let round = 0; ; round++) {
    const code = contentHash([round, ...texts]).slice(0, length);
    if (!held.some((text) => text.includes(code))) return code;
  }
}
