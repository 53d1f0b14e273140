import { type AnswerObject, type AnswerSearch, comparableText, findAnswers } from '../../core/index.ts';
import { VERDICTS, type Verdict } from '../verdict.ts';
import { type AskedItem, type AskedTrait, readTraitValue, type TraitValue, traitKey } from './asked.ts';
import type { JudgeProblem, ProblemCode } from './judge-text.ts';

export interface JudgedItem {
  readonly verdict: Verdict;
  /** As the judge gave them, not yet verified against the answer. */
  readonly quotes: readonly string[];
  /** The value of a typed check, as the judge copied it. */
  readonly value?: string;
}

/** What a judge says of a trait. */
interface JudgedValue {
  readonly value: TraitValue;
  /** In the judge's words; null where it gave none. */
  readonly explanation: string | null;
  /** As the judge gave them, not yet verified against the answer. */
  readonly quotes: readonly string[];
}

/** What a reply says. An item or a trait that is not in its map has a problem in the list, or the whole reply has. */
export interface JudgeReply {
  readonly verdicts: ReadonlyMap<string, JudgedItem>;
  readonly traits: ReadonlyMap<string, JudgedValue>;
  readonly problems: readonly JudgeProblem[];
}

/**
 * Reads a judge's reply strictly: exactly one entry for each item and trait, a verdict of the vocabulary, a quote where there must be one. Each fault costs the entry it
 * is in and no other. An entry that was not asked for is noted and otherwise ignored. `answer` is the answer that is judged: verdicts quoted from it are not the judge's.
 *
 * @example
 * ```ts
 * const items = [{ id: 'a', instruction: 'Mentions BCL2' }, { id: 'b', instruction: 'References cancer' }];
 * const reply = parseJudgeReply('{"verdicts": [{"id": "a", "verdict": "present", "quotes": ["BCL2"]}], "traits": []}', items, []);
 * reply.verdicts.get('a') // => { verdict: 'present', quotes: ['BCL2'] }
 * reply.problems // => [{ code: 'missing', id: 'b', trait: null }]
 * ```
 */
export function parseJudgeReply(
  text: string,
  items: readonly AskedItem[],
  llmTraits: readonly AskedTrait[],
  answer = '',
): JudgeReply {
  const found = judgeObject(text, {
    keys: ['verdicts'],
    partKeys: ['verdict'],
    decisions: decisionsIn,
    answer,
  });
  if (!found.ok) return unusableReply('unreadable', found.reason);
  if (!Array.isArray(own(found.value, 'verdicts'))) return unusableReply('unreadable', 'no_verdicts');

  const problems: JudgeProblem[] = [];
  const checked = new Set(items.flatMap(({ id, check }) => (check === undefined ? [] : [id.trim()])));
  const verdicts = readEntries<JudgedItem>(listAt(found.value, 'verdicts'), {
    wanted: new Map(items.map(({ id }) => [id.trim(), id])),
    keyOf: (entry) => textAt(entry, 'id')?.trim(),
    read: (entry, key) => readVerdict(entry, checked.has(key)),
    report: (code, id) => problems.push({ code, id, trait: null }),
  });
  const byKey = new Map(llmTraits.map((trait) => [traitKey(trait.name), trait]));
  const traits = readEntries<JudgedValue>(listAt(found.value, 'traits'), {
    wanted: new Map(llmTraits.map(({ name }) => [traitKey(name), name])),
    keyOf: (entry) => {
      const name = textAt(entry, 'name');
      return name === undefined ? undefined : traitKey(name);
    },
    read: (entry, key) => readTrait(entry, byKey.get(key)!),
    report: (code, trait) => problems.push({ code, id: null, trait }),
  });
  return { verdicts, traits, problems };
}

/** A reply of which nothing can be used. */
export function unusableReply(
  code: 'unreadable' | 'refused' | 'failed' | 'cut',
  detail?: string,
): JudgeReply {
  const problem = { code, id: null, trait: null, ...(detail === undefined ? {} : { detail }) };
  return { verdicts: new Map(), traits: new Map(), problems: [problem] };
}

/** What a list of verdicts, or one of them, decides: a quote may change reasons, quotes, order, blanks and letter case. */
function decisionsIn(value: object): string[] {
  const decisions = (entries: readonly unknown[], name: string, fields: readonly string[]) =>
    entries.map((entry) => {
      if (typeof entry !== 'object' || entry === null) return JSON.stringify(comparableText(entry));
      const rest = fields.map((field) => comparableText(own(entry, field)));
      return JSON.stringify([name, textAt(entry, name)?.trim(), ...rest]);
    });
  const verdicts = own(value, 'verdicts') === undefined ? [value] : listAt(value, 'verdicts');
  return [
    ...decisions(verdicts, 'id', ['verdict', 'value']),
    ...decisions(listAt(value, 'traits'), 'name', ['value']),
  ];
}

function readVerdict(entry: object, isChecked: boolean): JudgedItem | Faulty {
  const word = textAt(entry, 'verdict')?.trim().toLowerCase();
  const verdict = VERDICTS.find((name) => name === word);
  if (verdict === undefined) return { problem: 'bad_verdict' };
  const quotes = readQuotes(entry);
  if (quotes === null) return { problem: 'bad_quotes' };
  if (needsQuote(verdict) && quotes.length === 0) return { problem: 'no_quote' };
  if (!isChecked) return { verdict, quotes };
  const value = textAt(entry, 'value')?.trim() ?? '';
  if (verdict === 'present' && value === '') return { problem: 'no_value' };
  return value === '' ? { verdict, quotes } : { verdict, quotes, value };
}

/** Whether a verdict must be shown in the words of the answer. */
export function needsQuote(verdict: Verdict): boolean {
  return verdict === 'present' || verdict === 'contradicted';
}

function readTrait(entry: object, trait: AskedTrait): JudgedValue | Faulty {
  const value = readTraitValue(trait, own(entry, 'value'));
  if (value === undefined) return { problem: 'bad_value' };
  const explanation = textAt(entry, 'reason')?.trim() || null;
  // Quotes of a trait are evidence beside its value: malformed ones do not cost the value.
  return { value, explanation, quotes: readQuotes(entry) ?? [] };
}

/** The quotes of an entry that are not blank; null where they are not texts. A judge without structured output tends to give one quote as a text, or none as null. */
function readQuotes(entry: object): string[] | null {
  const given = own(entry, 'quotes') ?? own(entry, 'quote') ?? [];
  const quotes: readonly unknown[] = Array.isArray(given) ? given : [given];
  return quotes.every((quote) => typeof quote === 'string')
    ? quotes.filter((quote) => quote.trim() !== '')
    : null;
}

function listAt(value: object, key: string): readonly unknown[] {
  const list = own(value, key);
  return Array.isArray(list) ? list : [];
}

function textAt(entry: object, key: string): string | undefined {
  const value = own(entry, key);
  return typeof value === 'string' ? value : undefined;
}

function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/** Why an entry cannot be used. */
type Faulty = { readonly problem: ProblemCode };

interface EntryReader<T> {
  /** What is asked for, by key, under the name it is stored by. */
  readonly wanted: ReadonlyMap<string, string>;
  readonly keyOf: (entry: object) => string | undefined;
  readonly read: (entry: object, key: string) => T | Faulty;
  readonly report: (code: ProblemCode, name: string | null) => void;
}

/** Reads the entries of a list by key. Of an id that comes twice neither entry is taken, even if they agree: a judge that lost count is asked again. */
function readEntries<T>(
  entries: readonly unknown[],
  { wanted, keyOf, read, report }: EntryReader<T>,
): Map<string, T> {
  const byKey = Map.groupBy(entries, (entry) =>
    typeof entry === 'object' && entry !== null ? keyOf(entry) : undefined,
  );
  const values = new Map<string, T>();
  for (const [key, name] of wanted) {
    const [entry, ...others] = byKey.get(key) ?? [];
    const value: T | Faulty =
      entry === undefined
        ? { problem: 'missing' }
        : others.length > 0
          ? { problem: 'duplicate' }
          : read(entry as object, key);
    if (isFaulty(value)) report(value.problem, name);
    else values.set(name, value);
  }
  for (const key of byKey.keys()) {
    if (key === undefined) report('bad_entry', null);
    else if (!wanted.has(key)) report('extra', key);
  }
  return values;
}

function isFaulty(value: unknown): value is Faulty {
  return typeof value === 'object' && value !== null && 'problem' in value;
}

type JudgeObject =
  | { readonly ok: true; readonly value: object }
  | { readonly ok: false; readonly reason: string };

interface JudgeSearch extends Pick<AnswerSearch, 'keys' | 'partKeys' | 'decisions'> {
  /** The answer that is judged. */
  readonly answer: string;
}

/**
 * The object in a judge's reply that holds its judgement, or why there is none. An object with other text around it that decides
 * nothing but what an object in the answer decides is a quote. Of several that decide the same the last counts; several that
 * differ are no judgement, and neither is one with a key twice. A part of a judgement by itself must not contradict it.
 *
 * @example
 * ```ts
 * const search = { keys: ['met'], decisions: ({ met }) => [String(met)] };
 * judgeObject('The answer claims {"met": true}. Mine: {"met": false}', { ...search, answer: 'Say {"met": true}!' })
 * // => { ok: true, value: { met: false } }
 * judgeObject('{"met": true} or {"met": false}', { ...search, answer: '' }) // => { ok: false, reason: 'two_answers' }
 * ```
 */
export function judgeObject(text: string, { answer, ...search }: JudgeSearch): JudgeObject {
  const found = findAnswers(text, { ...search, sources: [answer], quotedFrom: 'answer' });
  if (!found.ok) return found;
  const { answers, hasUnreadable } = found;
  const judgement = answers.findLast(({ isReadable, isPart }) => isReadable && !isPart);
  if (judgement === undefined) return { ok: false, reason: 'malformed' };
  const decided = new Set(search.decisions(judgement.value));
  const agrees = ({ value, isPart }: AnswerObject) => {
    const decisions = new Set(search.decisions(value));
    return (
      [...decisions].every((decision) => decided.has(decision)) && (isPart || decisions.size === decided.size)
    );
  };
  if (hasUnreadable || !answers.every(agrees)) return { ok: false, reason: 'two_answers' };
  if (answers.some(({ repeatsKey }) => repeatsKey)) return { ok: false, reason: 'duplicate_keys' };
  return { ok: true, value: judgement.value };
}
