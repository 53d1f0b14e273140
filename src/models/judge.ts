import { KrisisError } from '../core/index.ts';
import type { Backend } from './backend.ts';

/** Who judges: a model that writes text, or, without one, the lexical baseline. */
export interface Judge {
  readonly name: string;
  readonly backend: Backend | null;
}

export const LEXICAL_JUDGE: Judge = { name: 'baseline/lexical', backend: null };

/** A backend as a judge. One that only knows labels cannot judge. */
export function modelJudge(backend: Backend): Judge {
  if (backend.generate === undefined)
    throw new KrisisError(
      `${backend.name} cannot judge: it answers with labels only; take a provider's model, e.g. openai/MODEL, or ${LEXICAL_JUDGE.name}, which needs none`,
      { value: backend.name },
    );
  return { name: backend.name, backend };
}

/** Who judges is part of a judgement: the same name with other settings is another judge. */
export function judgeIdentity({ name, backend }: Judge): Readonly<Record<string, unknown>> {
  return { judge: name, parameters: backend?.parameters ?? {} };
}
