import { contentHash, type TextRequest } from '../core/index.ts';
import type { QuestionSuite } from '../suites/index.ts';
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
      const asked = messages.at(-1)!.content;
      // A template of the user's own may surround the question.
      const known = references.has(asked) ? asked : [...references.keys()].find((one) => asked.includes(one));
      const reference = references.get(known ?? '') ?? null;
      if (reference === null) throw ownError('not_recorded', 'the question has no reference answer');
      return { text: reference, inputTokens: null, outputTokens: null };
    },
  };
}
