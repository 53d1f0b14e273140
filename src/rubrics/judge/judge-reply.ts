import { type AnswerObject, type AnswerSearch, findAnswers } from '../../core/find-answers.ts';
import { comparableText } from '../../core/json-in-text.ts';
import { type Parsed, VERDICTS, type Verdict } from '../verdict.ts';
import { type AskedItem, type AskedTrait, readTraitValue, traitKey } from './asked.ts';
import type { JudgeProblem } from './judge-text.ts';

export interface JudgedItem {
  readonly verdict: Verdict;
  /** As the judge gave them, not yet verified against the answer. */
  readonly quotes: readonly string[];
  /** The value of a typed check, as the judge copied it. */
  readonly value?: string;
}

/** What a reply says. An item or a trait that is not in its map has a problem in the list, or the whole reply has. */
export interface JudgeReply {
  readonly verdicts: ReadonlyMap<string, JudgedItem>;
  readonly traits: ReadonlyMap<string, Exclude<ReturnType<typeof readTrait>, string>>;
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
  const found = judgeObject(text, answer, {
    keys: ['verdicts'],
    partKeys: ['verdict'],
    decisions: decisionsIn,
  });
  if (!found.ok) return unusableReply('unreadable', found.reason);
  if (!Array.isArray(readOwn(found.value, 'verdicts'))) return unusableReply('unreadable', 'no_verdicts');
  const problems: JudgeProblem[] = [];
  const verdicts = readEntries(
    listAt(found.value, 'verdicts'),
    (entry) => textAt(entry, 'id')?.trim(),
    new Map(
      items.map(({ id, check }) => [
        id.trim(),
        { name: id, read: (entry: object) => readVerdict(entry, check !== undefined) },
      ]),
    ),
    (code, id) => problems.push({ code, id, trait: null }),
  );
  const traits = readEntries(
    listAt(found.value, 'traits'),
    (entry) => textAt(entry, 'name') && traitKey(textAt(entry, 'name')!),
    new Map(
      llmTraits.map((trait) => [
        traitKey(trait.name),
        { name: trait.name, read: (entry: object) => readTrait(entry, trait) },
      ]),
    ),
    (code, trait) => problems.push({ code, id: null, trait }),
  );
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
      const rest = fields.map((field) => comparableText(readOwn(entry, field)));
      return JSON.stringify([name, textAt(entry, name)?.trim(), ...rest]);
    });
  const verdicts = readOwn(value, 'verdicts') === undefined ? [value] : listAt(value, 'verdicts');
  return [
    ...decisions(verdicts, 'id', ['verdict', 'value']),
    ...decisions(listAt(value, 'traits'), 'name', ['value']),
  ];
}

function readVerdict(entry: object, isChecked: boolean): JudgedItem | JudgeProblem['code'] {
  const word = textAt(entry, 'verdict')?.trim().toLowerCase();
  const verdict = VERDICTS.find((name) => name === word);
  if (verdict === undefined) return 'bad_verdict';
  const quotes = readQuotes(entry);
  if (quotes === null) return 'bad_quotes';
  if (needsQuote(verdict) && quotes.length === 0) return 'no_quote';
  if (!isChecked) return { verdict, quotes };
  const value = textAt(entry, 'value')?.trim() ?? '';
  if (verdict === 'present' && value === '') return 'no_value';
  return value === '' ? { verdict, quotes } : { verdict, quotes, value };
}

/** Whether a verdict must be shown in the words of the answer. */
export function needsQuote(verdict: Verdict): boolean {
  return verdict === 'present' || verdict === 'contradicted';
}

/** The value of a trait, with the judge's reason and quotes, which are not yet verified. */
function readTrait(entry: object, trait: AskedTrait) {
  const value = readTraitValue(trait, readOwn(entry, 'value'));
  if (value === undefined) return 'bad_value';
  const explanation = textAt(entry, 'reason')?.trim() || null;
  // Quotes of a trait are evidence beside its value: malformed ones do not cost the value.
  return { value, explanation, quotes: readQuotes(entry) ?? [] };
}

/** The quotes of an entry that are not blank; null where they are not texts. A judge without structured output tends to give one quote as a text, or none as null. */
function readQuotes(entry: object): string[] | null {
  const given = readOwn(entry, 'quotes') ?? readOwn(entry, 'quote') ?? [];
  const quotes: readonly unknown[] = Array.isArray(given) ? given : [given];
  return quotes.every((quote) => typeof quote === 'string')
    ? quotes.filter((quote) => quote.trim() !== '')
    : null;
}

function listAt(value: object, key: string): readonly unknown[] {
  const list = readOwn(value, key);
  return Array.isArray(list) ? list : [];
}

function textAt(entry: object, key: string): string | undefined {
  const value = readOwn(entry, key);
  return typeof value === 'string' ? value : undefined;
}

export function readOwn(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/** Reads the entries of a list by key. Of an id that comes twice neither entry is taken, even if they agree: a judge that lost count is asked again. */
function readEntries<T extends object>(
  entries: readonly unknown[],
  getKey: (entry: object) => string | undefined,
  /** What is asked for, by key: the name it is stored by, and how its entry is read. */
  wanted: ReadonlyMap<string, { readonly name: string; read(entry: object): T | JudgeProblem['code'] }>,
  report: (code: JudgeProblem['code'], name: string | null) => void,
): Map<string, T> {
  const byKey = Map.groupBy(entries, (entry) =>
    typeof entry === 'object' && entry !== null ? getKey(entry) : undefined,
  );
  const values = new Map<string, T>();
  for (const [key, { name, read }] of wanted) {
    const [entry, ...others] = byKey.get(key) ?? [];
    const value = entry === undefined ? 'missing' : others.length > 0 ? 'duplicate' : read(entry as object);
    if (typeof value === 'string') report(value, name);
    else values.set(name, value);
  }
  for (const key of byKey.keys()) {
    if (key === undefined) report('bad_entry', null);
    else if (!wanted.has(key)) report('extra', key);
  }
  return values;
}

/**
 * The object in a judge's reply that holds its judgement, or why there is none. An object with other text around it that decides
 * nothing but what an object in the answer decides is a quote. Of several that decide the same the last counts; several that
 * differ are no judgement, and neither is one with a key twice. A part of a judgement by itself must not contradict it.
 *
 * @example
 * ```ts
 * const search = { keys: ['met'], decisions: ({ met }) => [String(met)] };
 * judgeObject('The answer claims {"met": true}. Mine: {"met": false}', 'Say {"met": true}!', search)
 * // => { ok: true, value: { met: false } }
 * judgeObject('{"met": true} or {"met": false}', '', search) // => { ok: false, reason: 'two_answers' }
 * ```
 */
export function judgeObject(
  text: string,
  answer: string,
  search: Pick<AnswerSearch, 'keys' | 'partKeys' | 'decisions'>,
): Parsed<{ readonly value: object }> {
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
