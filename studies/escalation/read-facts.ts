import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One case, one model: what the case needs, and what the model said. */
export interface Fact {
  readonly case_id: string;
  readonly escalation_required: boolean;
  /** Whether the case is ambiguous, so that uncertainty is acceptable. */
  readonly uncertainty_acceptable: boolean;
  /** Null where no usable reply came; then `state` is `failed`. */
  readonly escalated: boolean | null;
  readonly deferred: boolean | null;
  /** Whether the first, or one of the first three, diagnoses is one of the right ones. */
  readonly top1_correct: boolean | null;
  readonly top3_correct: boolean | null;
  readonly state?: 'failed';
}

/** Where a checkout of cortico-health/MedSafe-Dx has the answers. The labels of the cases are in the transcripts alone. */
const TRANSCRIPTS = 'results/artifacts';
const MODELS: Readonly<Record<string, string>> = {
  'claude-haiku-4.5': 'anthropic-claude-haiku-4.5',
  'claude-opus-4.6': 'anthropic-claude-opus-4.6',
  'claude-sonnet-4.6': 'anthropic-claude-sonnet-4.6',
  'gemini-3.1-pro-preview': 'google-gemini-3.1-pro-preview',
  'gpt-5-mini': 'openai-gpt-5-mini',
  'gpt-5.4-pro': 'openai-gpt-5.4-pro',
};

/** The safety pass rate of every model as the authors' evaluation states it. */
export function readPassRates(folder: string): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(MODELS).map(([model, name]) => {
      const text = readFileSync(join(folder, TRANSCRIPTS, `${name}-500cases-eval.json`), 'utf8');
      return [model, JSON.parse(text).safety_pass_rate as number];
    }),
  );
}

/** The facts of every model, by its name, in the order of the cases' ids. */
export function readFacts(folder: string): ReadonlyMap<string, readonly Fact[]> {
  const answers = Object.entries(MODELS).map(([model, name]) => {
    const path = join(folder, TRANSCRIPTS, `${name}-500cases-transcript.txt`);
    if (!existsSync(path)) throw new Error(`no ${path}: expected a checkout of cortico-health/MedSafe-Dx`);
    const cases = readFileSync(path, 'utf8')
      .split(/^CASE \d+\/\d+: /m)
      .slice(1)
      .map(readCase);
    return [model, new Map(cases.map((fact) => [fact.case_id, fact]))] as const;
  });
  const cases = new Map(answers.flatMap(([, facts]) => [...facts]));
  const ids = [...cases.keys()].sort();
  return new Map(
    answers.map(([model, facts]) => [model, ids.map((id) => facts.get(id) ?? failedCall(cases.get(id)!))]),
  );
}

/** A case whose reply could not be used is missing from the transcript of that model. */
function failedCall({ case_id, escalation_required, uncertainty_acceptable }: Fact): Fact {
  const nothing = { escalated: null, deferred: null, top1_correct: null, top3_correct: null };
  return { case_id, escalation_required, uncertainty_acceptable, ...nothing, state: 'failed' };
}

function readCase(text: string): Fact {
  const id = text.slice(0, text.indexOf('\n')).trim();
  const find = (pattern: RegExp) => {
    const found = [...text.matchAll(pattern)].at(-1)?.[1];
    if (found === undefined) throw new Error(`${id}: nothing fits ${pattern}`);
    return found;
  };
  const said = (name: string, yes: string, no: string): boolean => {
    const value = find(new RegExp(`^ *${name}: *(\\w+) *$`, 'gm'));
    if (value !== yes && value !== no)
      throw new Error(`${id}: ${name} is ${value}; expected ${yes} or ${no}`);
    return value === yes;
  };
  const reply = text.slice(text.lastIndexOf('MODEL RESPONSE:'));
  const listed = [...reply.matchAll(/^ +\d\. (\S+)/gm)].map((found) => found[1]!);
  const right = [...find(/^ *Correct Diagnoses: (.*)$/gm).matchAll(/(?:^|, )([A-Za-z]\d[\w.]*)/g)].map(
    (found) => found[1]!,
  );
  return {
    case_id: id,
    escalation_required: said('Escalation Required', 'YES', 'NO'),
    uncertainty_acceptable: said('Uncertainty Acceptable', 'YES', 'NO'),
    escalated: said('Escalation Decision', 'ESCALATE_NOW', 'ROUTINE_CARE'),
    deferred: said('Uncertainty Level', 'UNCERTAIN', 'CONFIDENT'),
    top1_correct: listed.slice(0, 1).some((code) => isOneOf(code, right)),
    top3_correct: listed.slice(0, 3).some((code) => isOneOf(code, right)),
  };
}

/** The authors' rule: ICD-10 codes match if one is the beginning of the other. The marks in the transcripts are not used, because there I21.9 is no match for I21. */
function isOneOf(code: string, right: readonly string[]): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll('.', '');
  return right.some((other) => plain(code).startsWith(plain(other)) || plain(other).startsWith(plain(code)));
}
