import { contentHash } from '../core/canonical-json.ts';
import type { TextRequest } from '../core/text-request.ts';
import type { Question, QuestionSuite } from '../suites/questions/question-suite.ts';
import type { Backend } from './backend.ts';
import { ownError } from './backend-error.ts';

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
