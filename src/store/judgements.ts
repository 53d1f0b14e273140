import type { PartContext } from './entry-writer.ts';
import type { NewRow, Rows } from './rows.ts';
import type { NewValues, Values } from './table.ts';
import { JUDGEMENTS } from './tables.ts';

/** What a judge made of one answer, in one pass, by one rubric. */
export interface Judgement
  extends Omit<NewValues<typeof JUDGEMENTS.columns>, 'createdAt' | 'config' | 'attempt'> {
  /** The hash of the judge's identity: model, parameters, prompts. Empty where functions judge. Default: ''. */
  readonly config?: string | undefined;
  /** Counts how often the judgement was asked for again after it failed. Default: 0. */
  readonly attempt?: number | undefined;
}

/** What a judgement is about, and by whom: there is one for each place. */
export type JudgementPlace = Omit<Judgement, 'outcome' | 'attempt'>;

const PLACE = ['recordId', 'repeat', 'judge', 'pass', 'rubric', 'config'] as const;
const KEYS = [...PLACE, 'attempt', 'outcome'] as const;

/** What judges made of the answers of a run. */
export class Judgements {
  readonly #context: PartContext;
  readonly #rows: Rows;

  /** @internal */
  constructor(context: PartContext, rows: Rows) {
    this.#context = context;
    this.#rows = rows;
  }

  /** Enters a judgement; the first of its place and attempt counts. */
  enter(judgement: Judgement): void {
    this.#context.commits.enter(() => this.#write(judgement));
  }

  /** Enters a row together with all that was made of its answer: none of it without the rest. */
  enterWithRow(row: NewRow, judgements: readonly Judgement[]): void {
    this.#context.commits.enter(() => {
      this.#rows.write(row);
      for (const judgement of judgements) this.#write(judgement);
    });
  }

  #write(judgement: Judgement): void {
    const { config = '', attempt = 0 } = judgement;
    this.#context.writer.insert(JUDGEMENTS, { ...judgement, config, attempt, createdAt: Date.now() / 1000 });
  }

  /** The last attempt at a judgement; null before the first. */
  findLast(place: JudgementPlace): Pick<Values<typeof JUDGEMENTS.columns>, 'attempt' | 'outcome'> | null {
    const { sql } = this.#context;
    const where = PLACE.map((key) => `${JUDGEMENTS.sql(key)} = ?`).join(' AND ');
    const keys = ['attempt', 'outcome'] as const;
    const row = sql.get(
      `SELECT ${JUDGEMENTS.select('j', keys)} FROM judgements j WHERE ${where} ORDER BY attempt DESC LIMIT 1`,
      ...PLACE.map((key) => place[key] ?? ''),
    );
    return row === undefined ? null : sql.reading(() => JUDGEMENTS.decode(row, keys));
  }

  /** All judgements, record by record, each in its last attempt. */
  *read(): Generator<Judgement> {
    const { sql } = this.#context;
    const rows = sql.iterate(
      `SELECT ${JUDGEMENTS.select('j', KEYS)} FROM latest_judgements j JOIN records r ON r.id = j.record_id ORDER BY r.position, j.repeat, j.created_at, j.judge, j.pass, j.rubric`,
    );
    for (const row of rows) yield sql.reading(() => JUDGEMENTS.decode(row, KEYS));
  }
}

/** The name under which the outcomes of callable traits are stored: functions judge, not a model. */
export const CALLABLE_JUDGE = 'krisis/callable';

/** The name under which the lists of the second protocol are stored, beside the verdicts of the same judge. */
export function bucketsJudge(judge: string): string {
  return `krisis/buckets:${judge}`;
}

/** How the names of the calls of one configuration of a judge begin. */
export function callPrefix(config: string): string {
  return `judge:${config}:`;
}

/** The name under which the claims of answers are stored, checked by a judge against a source. */
export function claimsJudge(judge: string, sourceHash: string): string {
  return `krisis/claims:${sourceHash.slice(0, 12)}:${judge}`;
}
