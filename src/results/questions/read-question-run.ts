import { KrisisError } from '../../core/index.ts';
import type { ReadRunOptions } from '../read-options.ts';
import { readRun } from '../read-run.ts';
import type { RunResult } from '../run-result.ts';
import type { Judging } from './judging.ts';

/** A result of open questions with what the judge said of it at hand. */
export type QuestionReport = Omit<RunResult, 'method' | 'path'> &
  Judging & {
    readonly path: string;
    readonly nQuestions: number;
    readonly method: Pick<RunResult['method'], 'level' | 'resamples' | 'seed' | 'generator'> & {
      readonly unit: 'question';
      readonly scoredPass: number;
    };
  };

/** Reads a run of open questions. */
export function readQuestionRun(path: string, options: ReadRunOptions = {}): QuestionReport {
  const result = readRun(path, options);
  try {
    return questionView(result);
  } finally {
    result.close();
  }
}

export function questionView(result: RunResult): QuestionReport {
  const { judging, path } = result;
  if (judging === null || path === null)
    throw new KrisisError(`${path}: holds labels, not answers to open questions`, {
      value: path,
      code: 'ERR_NOT_OPEN_QUESTIONS',
    });
  const { level, resamples, seed, generator } = result.method;
  return {
    ...result,
    ...judging,
    path,
    evaluationResults: result.evaluationResults,
    nQuestions: result.nRecords,
    method: { level, resamples, seed, generator, unit: 'question', scoredPass: judging.scoredPass },
  };
}
