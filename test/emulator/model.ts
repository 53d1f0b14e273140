import { answersTo } from './answers.ts';
import { whatIsAsked } from './asked.ts';
import { digest } from './chance.ts';
import { faultOf } from './faults.ts';
import type { EmulatorOptions } from './options.ts';
import {
  empty,
  MALFORMED,
  malformed,
  PARTIAL,
  partial,
  plain,
  REPAIRABLE,
  refusal,
  repairable,
  truncated,
} from './spoiled-reply.ts';
import { textFor } from './texts.ts';
import type { Problem, Question, Reply } from './wire-format.ts';

/** What comes of a prompt that got through. */
export type Result =
  | { readonly kind: 'reply'; readonly reply: Reply; readonly good: boolean }
  | { readonly kind: 'problem'; readonly problem: Problem }
  | { readonly kind: 'stall' }
  | { readonly kind: 'reset' };

const CHARS_PER_TOKEN = 4;
const tokens = (chars: number) => Math.ceil(chars / CHARS_PER_TOKEN);

/** Where a prompt is the same prompt, whichever provider's words it comes in. */
export function promptOf({ system, text }: Question): string {
  return digest(`${system}\n${text}`);
}

/** The emulated model: the prompt, how many times it got through (this time included) and the options decide all that it says. */
export function ask(question: Question, prompt: string, time: number, options: EmulatorOptions): Result {
  const { system, text } = question;
  const chars = system.length + text.length;
  const { contextLimit, poison } = options;
  if (contextLimit !== undefined && chars > contextLimit)
    return trouble({ kind: 'too_long', tokens: { prompt: tokens(chars), limit: tokens(contextLimit) } });
  if (poison !== undefined && (text.includes(poison) || system.includes(poison)))
    return trouble({ kind: 'server' });

  const written = options.labels === undefined ? textFor(question) : null;
  const asked = whatIsAsked(question, options.labels ?? ['unknown']);
  const fault = faultOf(options, { prompt, time, batch: asked.batch });
  const requestId = `req_${prompt.slice(0, 12)}_${time}`;
  const right = () => answersTo(asked, options.abstainShare ?? 0.1);
  const finishedText = () => {
    if (fault === 'serverError') return trouble({ kind: 'server', requestId });
    if (fault === 'overloaded') return trouble({ kind: 'overloaded', requestId });
    return finished(spoiledText(fault, written!));
  };
  const finished = (said: ReturnType<typeof plain>) => {
    const preface = options.echo === true && said.text !== '' ? `The case as I read it: ${text}\n\n` : '';
    const reply = withinLimit(
      { ...said, preface, promptTokens: tokens(chars), completionTokens: 0, id: prompt.slice(0, 24) },
      question.maxTokens,
    );
    const padded = options.padding ? { ...reply, text: reply.text + ' '.repeat(options.padding) } : reply;
    return { kind: 'reply' as const, reply: padded, good: isGood(fault, reply) };
  };

  if (written !== null && fault !== 'reset' && fault !== 'stall') return finishedText();

  switch (fault) {
    case 'reset':
    case 'stall':
      return { kind: fault };
    case 'serverError':
      return trouble({ kind: 'server', requestId });
    case 'overloaded':
      return trouble({ kind: 'overloaded', requestId });
    case 'refusal':
      return finished(refusal);
    case 'empty':
      return finished(empty);
    case 'truncated':
      return finished(truncated(right()));
    case 'malformed':
      return finished(malformed(right(), options.malformedKinds ?? MALFORMED, prompt));
    case 'partial':
      return finished(partial(right(), options.partialKinds ?? PARTIAL, prompt));
    case 'repairable':
      return finished(repairable(right(), options.repairableKinds ?? REPAIRABLE, prompt));
    case null:
      return finished(plain(right()));
  }
}

/** The faults that a text can have: it is never short of a case, and has no JSON to break unless a judge wrote it. */
function spoiledText(fault: ReturnType<typeof faultOf>, written: { text: string; value: unknown }) {
  if (fault === 'empty') return empty;
  if (fault === 'refusal') return refusal;
  if (fault === 'truncated')
    return { text: written.text.slice(0, written.text.length / 2), value: null, finish: 'length' as const };
  if (fault === 'malformed' && written.value !== null)
    return { text: 'On the whole a good answer.', value: null, finish: 'stop' as const };
  return { ...written, finish: 'stop' as const };
}

function trouble(problem: Problem): Result {
  return { kind: 'problem', problem };
}

function isGood(fault: ReturnType<typeof faultOf>, { finish }: Reply): boolean {
  return finish === 'stop' && (fault === null || fault === 'repairable');
}

/** A reply is cut where the request's limit on tokens is. */
function withinLimit(reply: Reply, maxTokens: number | null): Reply {
  const { preface, text, finish } = reply;
  const full = preface + text;
  const needed = tokens(full.length);
  if (maxTokens === null || needed <= maxTokens || finish === 'refusal')
    return { ...reply, completionTokens: needed };
  const cut = full.slice(0, maxTokens * CHARS_PER_TOKEN);
  return { ...reply, preface: '', text: cut, value: null, finish: 'length', completionTokens: maxTokens };
}
