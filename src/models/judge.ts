import { contentHash } from '../core/canonical-json.ts';
import { KrisisError } from '../core/errors.ts';
import type { Grader } from '../rubrics/judge/grader.ts';
import { judgePromptHash } from '../rubrics/judge/judge-prompt.ts';
import type { ApiOptions } from './api/api-options.ts';
import type { Backend } from './backend.ts';

/** A judge: a model that writes text, or the lexical baseline. */
export interface Judge {
  readonly name: string;
  /** The model that judges; null for the lexical baseline, which needs none. */
  readonly backend: Backend | null;
  /** Grades one criterion per call, met or not met, in place of giving verdicts with quotes. Default: verdicts. */
  readonly grader?: Grader | undefined;
  /** Rules of your own for the judge, in place of the built-in ones. Part of its identity. Default: the built-in rules. */
  readonly rules?: string | undefined;
  /** The longest reply that it is asked for, in tokens; what would not fit is split into several calls. Default: enough for the items, at most 16,384. */
  readonly maxOutputTokens?: number | undefined;
}

/** Judges by matching words; needs no model. */
export const LEXICAL_JUDGE: Judge = { name: 'baseline/lexical', backend: null };

/** A backend as a judge. Throws when the backend answers with labels only. */
export function modelJudge(
  backend: Backend,
  { rules, maxOutputTokens }: Pick<Judge, 'rules' | 'maxOutputTokens'> = {},
): Judge {
  if (backend.generate === undefined)
    throw new KrisisError(
      `${backend.name} cannot judge: it answers with labels only; use a provider's model, e.g. openai/MODEL, or ${LEXICAL_JUDGE.name}, which needs none`,
      { value: backend.name, code: 'ERR_JUDGE_WITHOUT_TEXT' },
    );
  if (rules?.trim() === '')
    throw new KrisisError(`the rules for ${backend.name} are empty; expected instructions for a judge`, {
      value: rules,
      code: 'ERR_PROMPT_INVALID',
    });
  return {
    name: backend.name,
    backend,
    ...(rules !== undefined && { rules }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
}

/** The same judge, grading one criterion per call. Throws for the lexical baseline. */
export function gradingJudge(judge: Judge, grader: Grader): Judge {
  if (judge.backend === null)
    throw new KrisisError(`${judge.name} cannot grade: it has no model that could be asked`, {
      value: judge.name,
      code: 'ERR_JUDGE_WITHOUT_TEXT',
    });
  return { ...judge, grader };
}

/** The judge of a name: a provider's model, one of `own` (from a config), or the lexical baseline. */
export async function createJudge(
  name: string,
  {
    own = [],
    api,
    rules,
  }: { readonly own?: readonly Backend[]; readonly api?: ApiOptions; readonly rules?: string | undefined },
): Promise<Judge> {
  if (name === LEXICAL_JUDGE.name) return LEXICAL_JUDGE;
  const settings = { rules, maxOutputTokens: api?.maxOutputTokens };
  const mine = own.find((backend) => backend.name === name);
  if (mine !== undefined) return modelJudge(mine, settings);
  // Whoever asks only for the name of a judge, as a report does, loads no provider.
  const { isApiModel } = await import('./api/providers/providers.ts');
  if (isApiModel(name))
    return modelJudge(await (await import('./api/api-backend.ts')).apiBackend(name, api), settings);
  const { meantModel } = await import('./api/provider-info.ts');
  const meant = name === 'lexical' ? LEXICAL_JUDGE.name : await meantModel(name);
  const suggestion = meant === null || meant === name ? '' : `did you mean ${meant}? Otherwise `;
  throw new KrisisError(
    `no judge "${name}"; ${suggestion}use a provider's model, e.g. openai/MODEL, a backend of your config that has generate, or ${LEXICAL_JUDGE.name}, which needs no key`,
    { value: name, code: 'ERR_MODEL_NOT_FOUND' },
  );
}

/** The parameters that shape a reply in text: how a model is asked for labels does not matter there. */
export function textParameters(parameters: Backend['parameters'] = {}): NonNullable<Backend['parameters']> {
  const { reasoning: _, prompt_frame: __, ...rest } = parameters;
  return rest;
}

/** What identifies a judge: the same name with other settings or another prompt is another judge. */
export function judgeIdentity({
  name,
  backend,
  rules,
  grader,
}: Pick<Judge, 'name' | 'rules' | 'grader'> & {
  readonly backend: Pick<Backend, 'parameters'> | null;
}) {
  const { max_output_tokens: _, ...parameters } = textParameters(backend?.parameters);
  const graded = grader && { grader: grader.protocol, grader_template: grader.hash };
  const promptHash = grader?.hash ?? judgePromptHash(rules);
  return {
    judge: name,
    /** What shapes its replies; not the longest reply, which decides how calls are split. */
    parameters: { ...parameters, ...graded },
    /** Of the wording, with rules of the user's own; null for a judge without a model. */
    prompt_hash: backend === null ? null : promptHash,
  };
}

/** The hash under which a judge's judgements are stored. */
export function judgeConfig(judge: Judge): string {
  return contentHash(judgeIdentity(judge)).slice(0, 12);
}
