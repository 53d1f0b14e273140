import { contentHash } from '../core/canonical-json.ts';
import { KrisisError } from '../core/errors.ts';
import { didYouMean } from '../core/near-names.ts';
import type { TextRequest } from '../core/text-request.ts';
import {
  type AnySuite,
  isQuestionSuite,
  type Question,
  type QuestionSuite,
} from '../suites/questions/question-suite.ts';
import { apiBackend } from './api/api-backend.ts';
import type { ApiOptions } from './api/api-options.ts';
import { meantModel } from './api/provider-info.ts';
import { isApiModel, PROVIDERS } from './api/providers/providers.ts';
import type { Backend } from './backend.ts';
import { ownError } from './backend-error.ts';
import { BASELINES, createBaseline } from './baselines/create-baseline.ts';
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

/** A model that gives the author's own answers: a rubric should find no fault with them, and a suite of open questions can be run without a key. */
export function referenceBackend(suite: QuestionSuite): Backend {
  const references = new Map(suite.questions.map(({ question, reference }) => [question, reference]));
  const labelsOnly = async (): Promise<never> => {
    throw ownError('bad_request', 'baseline/reference answers open questions only');
  };
  return {
    name: 'baseline/reference',
    // The same name with other answers is another model.
    parameters: { answers_hash: contentHash([...references]) },
    evaluate: labelsOnly,
    evaluateBatch: labelsOnly,
    async generate({ messages }: TextRequest) {
      const turns = messages.filter(({ role }) => role !== 'system');
      const known =
        suite.questions.find((one) => isAsked(one, turns, (asked, turn) => asked === turn)) ??
        // A template of the user's own may surround the question.
        suite.questions.find((one) => isAsked(one, turns, (asked, turn) => asked.includes(turn)));
      const reference = known?.reference ?? null;
      if (reference === null) throw ownError('not_recorded', 'the question has no reference answer');
      return { text: reference, inputTokens: null, outputTokens: null };
    },
  };
}

/** Whether the turns are those of a question; `isLast` compares the last one. */
function isAsked(
  { question, messages }: Question,
  turns: TextRequest['messages'],
  isLast: (asked: string, turn: string) => boolean,
): boolean {
  const own = messages?.map(({ content }) => content) ?? [question];
  return (
    own.length === turns.length &&
    own.every((turn, i) =>
      i === own.length - 1 ? isLast(turns[i]!.content, turn) : turns[i]!.content === turn,
    )
  );
}
