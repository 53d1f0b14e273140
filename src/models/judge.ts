import { KrisisError } from '../core/index.ts';
import type { Grader } from '../rubrics/index.ts';
import { apiBackend } from './api/api-backend.ts';
import type { ApiOptions } from './api/api-options.ts';
import { isApiModel } from './api/providers/providers.ts';
import type { Backend } from './backend.ts';
import { meantModel } from './meant-model.ts';

/** A judge: a model that writes text, or the lexical baseline. */
export interface Judge {
  readonly name: string;
  /** The model that judges; null for the lexical baseline, which needs none. */
  readonly backend: Backend | null;
  /** Grades one criterion per call, met or not met, in place of giving verdicts with quotes. Default: verdicts. */
  readonly grader?: Grader | undefined;
}

/** Judges by matching words; needs no model. */
export const LEXICAL_JUDGE: Judge = { name: 'baseline/lexical', backend: null };

/** A backend as a judge. Throws when the backend answers with labels only. */
export function modelJudge(backend: Backend): Judge {
  if (backend.generate === undefined)
    throw new KrisisError(
      `${backend.name} cannot judge: it answers with labels only; use a provider's model, e.g. openai/MODEL, or ${LEXICAL_JUDGE.name}, which needs none`,
      { value: backend.name, code: 'ERR_JUDGE_WITHOUT_TEXT' },
    );
  return { name: backend.name, backend };
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
  { own = [], api }: { readonly own?: readonly Backend[]; readonly api?: ApiOptions },
): Promise<Judge> {
  if (name === LEXICAL_JUDGE.name) return LEXICAL_JUDGE;
  const mine = own.find((backend) => backend.name === name);
  if (mine !== undefined) return modelJudge(mine);
  if (isApiModel(name)) return modelJudge(await apiBackend(name, api));
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

/** What identifies a judge: the same name with other settings is another judge. */
export function judgeIdentity({
  name,
  backend,
  grader,
}: Pick<Judge, 'name' | 'grader'> & {
  readonly backend: Pick<Backend, 'parameters'> | null;
}): Readonly<Record<string, unknown>> {
  const graded = grader && { grader: grader.protocol, grader_template: grader.hash };
  return { judge: name, parameters: { ...textParameters(backend?.parameters), ...graded } };
}
