import type { EntryWriter } from './entry-writer.ts';
import type { Statements } from './statements.ts';
import { jsonCell } from './stored-cells.ts';

/** What a judge made of one answer, in one pass, by one rubric. */
export interface StoredJudgement {
  readonly recordId: string;
  readonly repeat: number;
  readonly judge: string;
  readonly pass: number;
  /** Its content hash. */
  readonly rubric: string;
  /** The hash of the judge's identity: model, parameters, prompts. Empty in judgements of earlier versions, and of functions. Default: ''. */
  readonly config?: string | undefined;
  /** Counts how often the judgement was asked for again after it failed. Default: 0. */
  readonly attempt?: number | undefined;
  /** As the judge's protocol has it. */
  readonly outcome: unknown;
}

/** What a judgement is about, and by whom: there is one for each place. */
export type JudgementPlace = Omit<StoredJudgement, 'outcome' | 'attempt'>;

/** An attempt at a judgement. */
export interface JudgementAttempt {
  readonly attempt: number;
  /** As the judge's protocol has it. */
  readonly outcome: unknown;
}

const PLACE_COLUMNS = 'record_id AS recordId, repeat, judge, pass, rubric, config';

function placeOf({ recordId, repeat, judge, pass, rubric, config = '' }: JudgementPlace) {
  return [recordId, repeat, judge, pass, rubric, config] as const;
}

/** Enters what a judge made of an answer; the first counts. */
export function enterJudgement(writer: EntryWriter, judgement: StoredJudgement): void {
  const { recordId, repeat, judge, pass, rubric, config = '', attempt = 0 } = judgement;
  writer.insert('verdict', [...placeOf(judgement), attempt], {
    record_id: recordId,
    repeat,
    judge,
    pass,
    rubric,
    config,
    attempt,
    outcome: JSON.stringify(judgement.outcome),
    created_at: Date.now() / 1000,
  });
}

/** The last attempt at a judgement; null before the first. */
export function lastJudgement(sql: Statements, place: JudgementPlace): JudgementAttempt | null {
  const found = sql.get(
    'SELECT attempt, outcome FROM judgements WHERE record_id = ? AND repeat = ? AND judge = ? AND pass = ? AND rubric = ? AND config = ? ORDER BY attempt DESC LIMIT 1',
    ...placeOf(place),
  );
  if (found === undefined) return null;
  return {
    attempt: Number(found.attempt),
    outcome: sql.reading(() => jsonCell(found.outcome, 'a verdict')),
  };
}

/** The wording in which a judge was asked without a configuration, by an earlier version: hashes of its prompts. Null where there are no such judgements. */
export function promptsWithoutConfig(sql: Statements, judge: string): string[] | null {
  const found = sql.all(
    "SELECT DISTINCT json_extract(outcome, '$.promptHash') AS hash FROM judgements WHERE judge = ? AND config = ''",
    judge,
  );
  return found.length === 0 ? null : found.flatMap(({ hash }) => (hash === null ? [] : [String(hash)]));
}

/** What judges made of the answers, record by record. */
export function* storedJudgements(sql: Statements): Generator<StoredJudgement> {
  const found = sql.iterate(
    `SELECT ${PLACE_COLUMNS}, j.outcome, j.attempt FROM latest_judgements j JOIN records r ON r.id = j.record_id WHERE r.selected = 1 ORDER BY r.position, j.repeat, j.created_at, j.judge, j.pass, j.rubric`,
  );
  for (const { outcome, ...place } of found)
    yield {
      ...(place as unknown as Omit<StoredJudgement, 'outcome'>),
      outcome: sql.reading(() => jsonCell(outcome, 'a verdict')),
    };
}
