import { decisionFacts } from '../core/decision-class.ts';
import { evaluationResult } from '../core/evaluation-result.ts';
import type { Label } from '../core/label.ts';
import type { PatientRecord } from '../core/patient-record.ts';
import type { PartContext } from './entry-writer.ts';
import type { Statements } from './statements.ts';
import { labelCell, objectCell } from './stored-cells.ts';
import { RECORDS } from './tables.ts';

/** One transaction for all records would keep all of them in SQLite's journal at once. */
const RECORDS_AT_ONCE = 1000;

/** The records of a run: what is scored against, by place in the suite. */
export class Records {
  readonly #context: PartContext;
  readonly #sql: Statements;

  /** @internal */
  constructor(context: PartContext) {
    this.#context = context;
    this.#sql = context.sql;
  }

  /** Enters records, features only where the suite's sensitivity allows. */
  enter(records: Iterable<readonly [position: number, record: PatientRecord]>, withFeatures: boolean): void {
    const { commits, writer, textKey } = this.#context;
    const iterator = records[Symbol.iterator]();
    for (let next = iterator.next(); !next.done; ) {
      commits.alone(() => {
        for (let i = 0; i < RECORDS_AT_ONCE && !next.done; i++, next = iterator.next()) {
          const [position, { features, ...record }] = next.value;
          const shown = JSON.stringify(features);
          const salt = withFeatures ? textKey.newSalt() : null;
          writer.insert(RECORDS, {
            ...record,
            position,
            features: withFeatures ? shown : null,
            featuresSalt: salt,
            featuresHash: textKey.hash(shown, salt),
          });
        }
      });
    }
  }

  /** What was shown of the record at a place; null where it was not stored. */
  features(position: number): PatientRecord['features'] | null {
    return this.#features(
      this.#sql.get('SELECT features FROM records WHERE position = ?', position)?.features,
    );
  }

  /** The records in their order; features are null where they were not stored. */
  *read(): Generator<{ id: string; features: PatientRecord['features'] | null }> {
    const rows = this.#sql.iterate('SELECT id, features FROM records ORDER BY position');
    for (const { id, features } of rows) yield { id: id as string, features: this.#features(features) };
  }

  #features(cell: unknown): PatientRecord['features'] | null {
    return cell == null
      ? null
      : (this.#sql.reading(() => objectCell(cell, 'features')) as PatientRecord['features']);
  }

  count(): number {
    const query = 'SELECT count(*) AS n FROM (SELECT 1 FROM records LIMIT ?)';
    return Number(this.#sql.get(query, this.#sql.maxRows())!.n);
  }

  /** Emergencies among the records, by the same rule as its rows. `actLabels` are the labels whose choice means to act today. */
  countEmergencies(actLabels: readonly Label[] = []): number {
    const query =
      "SELECT label, json_object('must_act', json(metadata -> '$.must_act')) AS marks, count(*) AS n FROM (SELECT * FROM records LIMIT ?) GROUP BY 1, 2";
    let emergencies = 0;
    for (const { label, marks, n } of this.#sql.all(query, this.#sql.maxRows())) {
      const groundTruth = labelCell(label, 'a label');
      const metadata = objectCell(marks, 'metadata');
      if (decisionFacts(evaluationResult({ groundTruth, metadata }), actLabels).mustAct)
        emergencies += Number(n);
    }
    return emergencies;
  }
}
