import { facts, section } from '../../reports/document/blocks.ts';
import type { Fact, Section } from '../../reports/document/document.ts';
import { counted } from '../../reports/words.ts';
import type { GateVerdict } from '../conditions/verdict.ts';
import type { ScreenLimits } from './fit-screen.ts';

/** The gravest first, so that a list that is cut never loses a failed condition to one that passed. */
const GRAVITY = ['fail', 'undecided', 'pass'] as const;

interface ReleaseOptions {
  readonly limits: ScreenLimits;
  /** The command that sets a condition, for a run that has none. */
  readonly example: string | null;
  /** What shows everything. */
  readonly more: string;
  /** The model of a comparison that conditions do not apply to. Default: they apply to all. */
  readonly baseline?: string | null;
}

/** Whether a model may be released: every condition with its outcome, or how to set one. */
export function release(
  verdicts: readonly GateVerdict[],
  { limits, example, more, baseline = null }: ReleaseOptions,
): Section | null {
  if (verdicts.length === 0) {
    if (example === null) return null;
    return section({ id: 'release', title: 'RELEASE  Not judged: no condition was set. To set one:' }, [
      facts('How to set a condition', [['', example]]),
    ]);
  }
  const models = [...new Set(verdicts.map(({ model }) => model))];
  const lines = models.length > 1 ? modelFacts(verdicts, limits) : verdictFacts(verdicts, limits);
  const shown = lines.slice(0, models.length > 1 ? limits.models : limits.conditions);
  const left = lines.length - shown.length;
  const warnings = [...new Set(verdicts.flatMap(({ warning }) => warning ?? []))];
  return section({ id: 'release', title: `RELEASE  ${decision(verdicts)}` }, [
    facts('Conditions', [
      ...shown,
      ...(left > 0
        ? [['', `${counted(left, models.length > 1 ? 'other model' : 'other condition')}: ${more}`] as const]
        : []),
      ...(baseline === null
        ? []
        : [['', `${baseline}: not judged, since the others are compared with it`] as const]),
      ...warnings.slice(0, limits.notes).map((warning): Fact => ['note', warning]),
    ]),
  ]);
}

/** The decision of all conditions together, in one sentence. */
function decision(verdicts: readonly GateVerdict[]): string {
  const n = (status: GateVerdict['status']) => verdicts.filter((each) => each.status === status).length;
  const [nFailed, nUndecided] = [n('fail'), n('undecided')];
  if (verdicts.length === 1 && nFailed + nUndecided === 1)
    return nFailed === 1 ? 'No: the condition failed' : 'Not decided: the condition cannot be decided';
  const all = counted(verdicts.length, 'condition');
  const undecided = `${nUndecided} cannot be decided`;
  if (nFailed > 0) return `No: ${nFailed} of ${all} failed${nUndecided === 0 ? '' : `, ${undecided}`}`;
  if (nUndecided > 0) return `Not decided: ${nUndecided} of ${all} cannot be decided`;
  return verdicts.length === 1 ? 'Yes: the condition is met' : `Yes: all ${all} are met`;
}

function verdictFacts(verdicts: readonly GateVerdict[], { isShort }: ScreenLimits): Fact[] {
  return verdicts
    .toSorted((a, b) => GRAVITY.indexOf(a.status) - GRAVITY.indexOf(b.status))
    .map(({ status, text, message }) => [
      statusSpan(status),
      `${text}: ${isShort ? firstClause(detail(message)) : detail(message)}`,
    ]);
}

/** One line for each model: how many conditions it failed, and which. */
function modelFacts(verdicts: readonly GateVerdict[], { isShort }: ScreenLimits): Fact[] {
  return [...Map.groupBy(verdicts, ({ model }) => model)]
    .map(([model, own]) => {
      const status = GRAVITY.find((each) => own.some((verdict) => verdict.status === each))!;
      const counts = GRAVITY.flatMap((each) => {
        const found = own.filter((verdict) => verdict.status === each);
        return found.length === 0 ? [] : [{ each, found }];
      });
      const words = counts.map(({ each, found }) => {
        const subjects = found.map(({ text }) => subject(text));
        const [first] = subjects;
        const listed = isShort && subjects.length > 1 ? `${first}, ...` : subjects.join(', ');
        const names = each === 'pass' ? '' : ` (${listed})`;
        return `${found.length} ${OUTCOME[each]}${names}`;
      });
      return {
        status,
        fact: [statusSpan(status), `${model}: ${(isShort ? words.slice(0, 1) : words).join('; ')}`] as const,
      };
    })
    .toSorted((a, b) => GRAVITY.indexOf(a.status) - GRAVITY.indexOf(b.status))
    .map(({ fact }) => fact);
}

const OUTCOME: Readonly<Record<GateVerdict['status'], string>> = {
  pass: 'met',
  fail: 'failed',
  undecided: 'undecided',
};

function statusSpan(status: GateVerdict['status']) {
  return { text: status.toUpperCase(), as: 'status' } as const;
}

/** What a condition is about: the metric of `model: upper(false_alarm_rate) <= 0.1`. */
function subject(text: string): string {
  return /[a-z]\w*_\w+/.exec(text.replace(/^.*?: /, ''))?.[0] ?? text;
}

/** The text of the condition stands before it, so its beginning need not be said again. */
function detail(message: string): string {
  return message.replace(/^(?:lower|upper)?\(?[\w.]+\)? is /, '');
}

/** What comes before a colon, a semicolon or "but", outside of brackets, and how many cases would decide it. */
function firstClause(message: string): string {
  const clause = message.replace(/(?<!\([^)]*)(?:[:;]|, but).*$/, '');
  const needed = /about [\d,]+ cases? would [^;,.]*/.exec(message)?.[0];
  return needed === undefined || clause.includes(needed) ? clause : `${clause}; ${needed}`;
}
