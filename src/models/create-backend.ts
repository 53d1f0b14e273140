import { KrisisError } from '../core/errors.ts';
import { didYouMean } from '../core/near-names.ts';
import { type AnySuite, isQuestionSuite } from '../suites/questions/question-suite.ts';
import { apiBackend } from './api/api-backend.ts';
import type { ApiOptions } from './api/api-options.ts';
import { meantModel } from './api/provider-info.ts';
import { isApiModel, PROVIDERS } from './api/providers/providers.ts';
import type { Backend } from './backend.ts';
import { BASELINES, createBaseline } from './baselines/create-baseline.ts';
import { referenceBackend } from './reference-backend.ts';
import { replayBackend } from './replay-backend.ts';
import { PERSONALITIES, parsePersonality } from './simulated/personality.ts';
import { simulatedBackend } from './simulated/simulated-backend.ts';

const REFERENCE = 'baseline/reference';

/** The backend of a model name: `openai/MODEL` and other providers, `baseline/majority`, `simulated/careful`, `replay/FILE`, or one of `own` (from a config). */
export async function createBackend(
  model: string,
  suite: AnySuite,
  options: { readonly seed: number; readonly own?: readonly Backend[]; readonly api?: ApiOptions },
): Promise<Backend> {
  const mine = options.own?.find(({ name }) => name === model);
  if (mine !== undefined) return mine;
  if (isQuestionSuite(suite)) {
    if (model === REFERENCE) return referenceBackend(suite);
    if (isApiModel(model)) return apiBackend(model, options.api);
    throw new KrisisError(
      `${model} cannot answer open questions; use a provider's model, e.g. openai/MODEL, a backend of your config that has generate, or ${REFERENCE}, which gives the author's own answers`,
      { value: model, code: 'ERR_MODEL_WITHOUT_TEXT' },
    );
  }
  const slash = model.indexOf('/');
  const [kind, rest] = slash < 0 ? [null, ''] : [model.slice(0, slash), model.slice(slash + 1)];
  if (kind === 'baseline') return createBaseline(rest, suite, { seed: options.seed });
  if (kind === 'simulated')
    return simulatedBackend(
      model,
      parsePersonality(rest),
      suite.stream && (suite.canStream?.() ?? true) ? suite.stream() : await suite.load(),
      options.seed,
    );
  if (kind === 'replay') return replayBackend(rest);
  if (isApiModel(model)) return apiBackend(model, options.api);
  throw new KrisisError(`no model "${model}"; ${await modelSuggestion(model, options.own ?? [])}`, {
    value: model,
    code: 'ERR_MODEL_NOT_FOUND',
  });
}

/** What may have been meant, or what there is. */
async function modelSuggestion(model: string, own: readonly Backend[]): Promise<string> {
  const meant = await meantModel(model);
  if (meant !== null) return `did you mean ${meant}?`;
  const named = [
    ...BASELINES.map((name) => `baseline/${name}`),
    ...Object.keys(PERSONALITIES).map((name) => `simulated/${name}`),
    ...own.map(({ name }) => name),
  ];
  return didYouMean(model, [...named, 'replay/FILE', ...PROVIDERS.map((name) => `${name}/MODEL`)]);
}
