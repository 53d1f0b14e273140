import { contentHash } from '../../core/canonical-json.ts';
import type { PromptMessage, TextRequest } from '../../core/text-request.ts';
import { VERDICTS } from '../verdict.ts';
import TEXT from './judge-text.json' with { type: 'json' };

/** Question and answer between lines that no text in them can hold. */
export const FENCED: string = TEXT.fenced.join('\n');

const templatesByRules = new Map<string | null, ReturnType<typeof createTemplates>>();

/**
 * The prompts with the user's own rules in place of the built-in opening and rules; what protects the data, the verdicts, the quotes and the form of the reply stay. Slots are marked, and neither prompt
 * says which items are required and which are forbidden. One object for each text, because a run file stores each object once.
 */
export function judgeTemplates(rules: string | null = null): ReturnType<typeof createTemplates> {
  const templates = templatesByRules.get(rules) ?? createTemplates(rules);
  templatesByRules.set(rules, templates);
  return templates;
}

function createTemplates(rules: string | null) {
  const system = rules === null ? [TEXT.opening, TEXT.data, TEXT.instructions.join('\n')] : ownSystem(rules);
  const asked = [FENCED, TEXT.asked.join('\n')];
  return {
    first: createTemplate(system, [...asked, TEXT.closing]),
    repair: createTemplate(system, [...asked, TEXT.again.join('\n'), TEXT.closing]),
  };
}

/** A template from the paragraphs of its two messages. */
export function createTemplate(system: readonly string[], user: readonly string[]): readonly PromptMessage[] {
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

/** One thing wrong with a reply: with an item, with a trait, or with the whole (both null). */
export interface JudgeProblem {
  readonly code: keyof typeof PROBLEM_TEXTS;
  readonly id: string | null;
  readonly trait: string | null;
  /** More exactly: why a reply is unreadable, or what a call failed of. */
  readonly detail?: string;
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

/** The request that a template makes. `untrusted` are the texts between the lines that the slot `{{fence}}` marks. */
export function fillPrompt(
  template: readonly PromptMessage[],
  schema: object,
  untrusted: readonly string[],
  slots: Readonly<Record<string, string>>,
): TextRequest {
  const messages = fillSlots(template, { ...slots, fence: delimiterCode(untrusted) });
  return { messages, template, schema };
}

/**
 * Fills the slots of a template in one pass: placeholders inside inserted values are not expanded. A slot without a value stays marked.
 *
 * @example
 * ```ts
 * fillSlots([{ role: 'user', content: '{{a}} and {{b}}' }], { a: '{{b}}', b: '$&' })[0].content // => '{{b}} and $&'
 * ```
 */
export function fillSlots(
  template: readonly PromptMessage[],
  slots: Readonly<Record<string, string>>,
  slot: RegExp = /\{\{(\w+)\}\}/g,
): PromptMessage[] {
  return template.map(({ role, content }) => ({
    role,
    content: content.replace(slot, (mark, name: string) =>
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
