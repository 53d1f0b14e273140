import { contentHash } from '../src/core/canonical-json.ts';
import type { TextReply, TextRequest } from '../src/core/text-request.ts';
import type { Verdict } from '../src/rubrics/verdict.ts';
import { createRandom } from '../src/statistics/random.ts';

/** What a judge's prompt says, read back from it. */
export interface JudgeAsked {
  readonly question: string;
  readonly answer: string;
  readonly items: readonly {
    readonly id: string;
    readonly instruction: string;
    readonly background?: string;
    readonly all_quotes?: true;
    readonly value?: string;
  }[];
  readonly traits: readonly { readonly name: string; readonly description: string; readonly value: string }[];
  /** True in the round of repair. */
  readonly again: boolean;
}

/** What to say of one item. A verdict alone is enough where it needs no quote. */
type Said =
  | Verdict
  | { readonly verdict: string; readonly quotes?: readonly string[]; readonly value?: string };

export interface Script {
  /** By instruction; `absent` for those not listed. */
  readonly verdicts?: Readonly<Record<string, Said>>;
  /** By name: the value, or an entry with `value`, `reason` and `quotes`; false for those not listed. */
  readonly traits?: Readonly<Record<string, unknown>>;
}

interface ScriptedJudge {
  readonly ask: (request: TextRequest) => Promise<TextReply>;
  /** Everything that was asked, in order. */
  readonly asked: JudgeAsked[];
}

/**
 * A judge that says what it is told: a table, or a function of what is asked, which may also give the reply as text. With `garbage` that share of replies is unusable in one
 * way or another; which ones follows from the seed and the prompt.
 */
export function scriptedJudge(
  script: Script | ((asked: JudgeAsked) => Script | string | Promise<Script | string>),
  { garbage = 0, seed = 1 }: { readonly garbage?: number; readonly seed?: number } = {},
): ScriptedJudge {
  const asked: JudgeAsked[] = [];
  const ask = async (request: TextRequest): Promise<TextReply> => {
    const now = readAsked(request);
    asked.push(now);
    const said = typeof script === 'function' ? await script(now) : script;
    const text = typeof said === 'string' ? said : replyText(now, said);
    const random = createRandom(Number.parseInt(contentHash([seed, request.messages]).slice(0, 8), 16));
    const spoiled = random.float() < garbage ? GARBAGE[random.integer(GARBAGE.length)]!(text) : text;
    return { text: spoiled, inputTokens: 100, outputTokens: 10, modelId: 'scripted-1' };
  };
  return { ask, asked };
}

const GARBAGE: readonly ((text: string) => string)[] = [
  () => '',
  () => 'As an evaluator I find this answer quite good overall.',
  (text) => text.slice(0, text.length / 2),
  (text) => text.replace(/"id":"/g, '"id":"x'),
  (text) => text.replace(/"quotes":\[[^\]]*\]/g, '"quotes":[]'),
  (text) => text.replace(/"verdict":"\w+"/g, '"verdict":"maybe"'),
];

function replyText({ items, traits }: JudgeAsked, said: Script): string {
  return JSON.stringify({
    verdicts: items.map(({ id, instruction }) => {
      const entry = said.verdicts?.[instruction] ?? 'absent';
      return typeof entry === 'string'
        ? { id, verdict: entry, quotes: [] }
        : { id, verdict: entry.verdict, quotes: entry.quotes ?? [], value: entry.value ?? '' };
    }),
    traits: traits.map(({ name }) => {
      const given = said.traits?.[name] ?? false;
      return typeof given === 'object' ? { name, ...given } : { name, value: given };
    }),
  });
}

/** Reads a prompt as a judge that keeps to its instructions: the code is the one that the first line names, and only lines that carry it end the data. */
export function readAsked({ messages }: Pick<TextRequest, 'messages'>): JudgeAsked {
  const [, user] = messages.map(({ content }) => content) as [string, string];
  const code = /^The code of this message is (\w+)\.\n/.exec(user)![1]!;
  const between = (name: string) => {
    const [opening, closing] = [`[${name} ${code}]\n`, `\n[end of ${name} ${code}]`];
    const start = user.indexOf(opening) + opening.length;
    return user.slice(start, user.indexOf(closing, start));
  };
  const asked = user.slice(user.indexOf(`[end of answer ${code}]`));
  const linesAfter = (heading: string) =>
    asked
      .slice(asked.indexOf(heading) + heading.length)
      .split('\n\n')[0]!
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  return {
    question: between('question'),
    answer: between('answer'),
    items: linesAfter('\nItems, one on a line:\n'),
    traits: linesAfter('\nProperties, one on a line:\n'),
    again: asked.includes('You were asked this before'),
  };
}
