import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { contentHash } from '../../core/canonical-json.ts';
import { KrisisError, whyUnreadable } from '../../core/errors.ts';
import { readRegularFile } from '../../core/regular-file.ts';
import { Rubric } from '../../rubrics/rubric.ts';
import type { SealKey } from '../../store/keys.ts';
import { RunFile } from '../../store/run-file.ts';
import { SCHEMA_VERSION } from '../../store/tables.ts';
import { type Question, type QuestionSuite, questionRecord } from '../../suites/questions/question-suite.ts';
import type { Sensitivity } from '../../suites/suite.ts';
import { isProtected } from '../egress.ts';
import { keptReply } from '../kept-reply.ts';
import { checkSameSensitivity, type RunIdentity, runPath } from '../run-identity.ts';
import { bareQuestion } from './judge-answer.ts';
import { rubricsManifest } from './judges.ts';
import { keptWords, toRecord } from './kept-outcome.ts';

const answerSchema = z.preprocess(
  // Human labels call the id `question_id`.
  (line) =>
    typeof line === 'object' && line !== null && 'question_id' in line
      ? { id: line.question_id, ...line }
      : line,
  z.looseObject({
    id: z.string().min(1),
    answer: z.string(),
    question: z.string().optional(),
    should_abstain: z.boolean().nullish(),
  }),
);

interface RecordedOptions {
  /** JSONL of `{ id, answer, question? }`. */
  readonly answersPath: string;
  /** The questions and their rubrics. Default: every answer brings its question, and all are judged by `rubric`. */
  readonly questions?: QuestionSuite | undefined;
  readonly rubric?: Rubric | undefined;
  readonly model?: string | undefined;
  readonly krisisVersion: string;
  /** An Ed25519 private key that signs the run. Default: it is not signed. */
  readonly signKey?: SealKey | undefined;
  readonly path?: string | undefined;
  /** Whether answers to protected questions are stored, with the words of the questions blocked out. Default: false. */
  readonly keepText?: boolean | undefined;
}

/**
 * Enters answers that were recorded elsewhere into a run file, to be judged and reported like any other run. The same file again gives the same run. Answers to protected questions are not
 * stored: they come back with the path, for the judge.
 */
export async function recordAnswers(
  options: RecordedOptions,
): Promise<{ readonly path: string; readonly answers: ReadonlyMap<string, string> }> {
  const { answersPath, questions, rubric, krisisVersion } = options;
  if ((questions ?? rubric) === undefined)
    throw new KrisisError('recorded answers need questions with rubrics, or one rubric for all of them', {
      code: 'ERR_RUBRIC_REQUIRED',
    });
  const bytes = await readRegularFile(answersPath).catch((cause: NodeJS.ErrnoException) => {
    throw invalid(
      `${answersPath}: ${whyUnreadable(cause)}; expected recorded answers (JSONL)`,
      answersPath,
      cause,
    );
  });
  const answers = parseLines(bytes.toString('utf8'), answersPath);
  const asked = answers.map((given) => findQuestion(given, options));
  const model = options.model ?? `recorded/${basename(answersPath)}`;
  const sensitivity: Sensitivity = questions?.sensitivity ?? 'protected';
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const identity: RunIdentity = {
    suiteHash: questions?.hash ?? contentHash(asked.map(({ id, question }) => [id, question])),
    task: questions?.name ?? 'open/recorded',
    arm: 'open',
    model,
    promptHash: 'recorded',
    parameters: { answers_sha256: sha256 },
    batchSize: 1,
    repeats: 1,
  };
  const path = options.path ?? runPath(identity);
  const texts = new Map(answers.map(({ id, answer }) => [id, answer]));
  const policy = { isProtected: isProtected({ sensitivity }), keepText: options.keepText };
  if (existsSync(path)) {
    RunFile.use(path, (file) => checkSameSensitivity(path, file.manifest().sensitivity, sensitivity));
    checkSameAnswers(path, answersPath, answers, new Map(asked.map((question) => [question.id, question])));
    return { path, answers: texts };
  }
  const file = RunFile.write(path, { isPrivate: policy.isProtected, signKey: options.signKey });
  try {
    file.setManifest({
      identity,
      kind: 'text',
      runId: randomUUID(),
      schemaVersion: SCHEMA_VERSION,
      krisisVersion: krisisVersion,
      createdAt: new Date().toISOString(),
      status: 'complete',
      suite: {
        name: identity.task,
        suite_hash: identity.suiteHash,
        sensitivity,
        n_questions: asked.length,
      },
      suiteName: identity.task,
      sensitivity,
      ...(policy.isProtected && { keepText: options.keepText === true }),
      arm: 'open',
      model,
      simulated: false,
      recorded: { source: basename(answersPath), sha256 },
      parameters: identity.parameters,
      ...rubricsManifest(asked),
    });
    file.records.enter(
      asked.map((question, position) => [position, questionRecord(question)] as const),
      sensitivity !== 'protected',
    );
    file.rows.enter(
      answers.map(({ id, answer }, i) => ({
        id,
        repeat: 0,
        state: 'answered' as const,
        ...keptReply(answer, [toRecord(asked[i]!)], policy, keptWords(asked[i]!)),
      })),
    );
    file.seal({ scoresHash: null, krisisVersion });
    return { path, answers: texts };
  } finally {
    file.close();
  }
}

/** Refuses answers that are not those of the run: its verdicts would be about other texts. */
function checkSameAnswers(
  path: string,
  answersPath: string,
  answers: readonly { readonly id: string; readonly answer: string }[],
  questions: ReadonlyMap<string, Question>,
): void {
  const differing = RunFile.use(path, (file) => {
    const { sensitivity, keepText } = file.manifest();
    const policy = {
      isProtected: isProtected({ sensitivity: sensitivity ?? 'protected' }),
      keepText: keepText === true,
    };
    const given = new Set(answers.map(({ id }) => id));
    return [
      ...[...file.records.read()].flatMap(({ id }) => (given.has(id) ? [] : [`${id} (no answer)`])),
      ...answers.flatMap(({ id, answer }) => {
        const question = questions.get(id)!;
        const kept = keptReply(answer, [toRecord(question)], policy, keptWords(question));
        const isSame = file.rows.isAnswer(id, 0, kept.rawResponse ?? kept.withheld ?? '');
        return isSame === false ? [id] : [];
      }),
    ];
  });
  if (differing.length === 0) return;
  const shown = differing.slice(0, 5).join(', ');
  const more = differing.length > 5 ? ` and ${differing.length - 5} more` : '';
  throw new KrisisError(
    `${answersPath}: the answers are not those of ${path}; they differ on ${shown}${more}. Judge them in a run file of their own`,
    { code: 'ERR_ANSWERS_DIFFER', value: differing },
  );
}

function invalid(message: string, value: string, cause?: unknown): KrisisError {
  return new KrisisError(message, { code: 'ERR_ANSWERS_INVALID', value, cause });
}

function parseLines(text: string, path: string) {
  const seen = new Set<string>();
  const answers = text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    const wrong = (what: string) =>
      invalid(`${path}, line ${i + 1}: ${what}; expected {"id": ..., "answer": ...}`, line);
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw wrong('not JSON');
    }
    const parsed = answerSchema.safeParse(value);
    if (!parsed.success) {
      const issue = parsed.error.issues[0]!;
      throw wrong(`${issue.path.join('.')}: ${issue.message}`);
    }
    if (seen.has(parsed.data.id)) throw wrong(`the id "${parsed.data.id}" is repeated`);
    seen.add(parsed.data.id);
    return [parsed.data];
  });
  if (answers.length === 0) throw invalid(`${path}: holds no answers`, path);
  return answers;
}

function findQuestion(
  given: z.infer<typeof answerSchema>,
  { questions, rubric, answersPath }: RecordedOptions,
): Question {
  const known = questions?.questions.find(({ id }) => id === given.id);
  if (questions !== undefined && known === undefined)
    throw invalid(`${answersPath}: no question has the id "${given.id}"`, given.id);
  const text = known?.question ?? given.question;
  if (text === undefined)
    throw invalid(
      `${answersPath}: the answer ${given.id} has no question; add one to its line, or give the questions`,
      given.id,
    );
  const { id, should_abstain: shouldAbstain = null } = given;
  const base = known ?? bareQuestion({ id, question: text, rubric: new Rubric(), shouldAbstain });
  return { ...base, rubric: rubric ?? base.rubric };
}
