import { Dictionary } from '../dictionary.ts';
import type { EvaluationResult } from '../evaluation-result.ts';
import { type LabelKey, labelKey } from '../label.ts';
import { quoted, shown } from '../plain-text.ts';
import { counted } from '../wording.ts';
import type { RowNotice } from './answer-reading.ts';

/** What all rows of a case must agree about. */
type Facts = Readonly<Record<(typeof FACTS)[number], unknown>>;
const FACTS = ['ground_truth', 'should_abstain', 'must_act'] as const;
/** What a mark of a row that was read can be. */
const MARKS: readonly unknown[] = [null, false, true];

/** Tells repeats of one case from cases that have the same id by mistake. A few bytes are kept of each case. */
export function caseChecker() {
  const cases = new Dictionary();
  /** The place in `facts` of each case. */
  let factsOfCase = new Int32Array(64);
  let nCases = 0;
  const facts: Facts[] = [];
  /** The place in `facts` of each truth with each pair of marks. */
  const places = new Map<LabelKey | null, number[]>();
  const answers = new Map<string, number>();
  const repeated = new Set<string>();
  const stated = new Map<string | null, Map<unknown, number>>();
  const seen = new Set<string>();

  const placeOfFacts = ({ groundTruth, metadata }: EvaluationResult): number => {
    const { should_abstain = null, must_act = null } = metadata;
    const truth = groundTruth === null ? null : labelKey(groundTruth);
    let byMarks = places.get(truth);
    if (byMarks === undefined) {
      byMarks = [];
      places.set(truth, byMarks);
    }
    const marks = MARKS.length * MARKS.indexOf(should_abstain) + MARKS.indexOf(must_act);
    byMarks[marks] ??= facts.push({ ground_truth: groundTruth, should_abstain, must_act }) - 1;
    return byMarks[marks];
  };

  return {
    /** The number of the answer among those of its model to its case, from 0, or what is wrong with the row. `repeat` and `model` are what the file says of it. */
    add(
      row: EvaluationResult,
      repeat: unknown,
      model: string | null = null,
    ): { readonly repeat: number; readonly problem: string | null } {
      if (row.id === null) return { repeat: 0, problem: null };
      const place = placeOfFacts(row);
      // Each model answers each case.
      const key = model === null ? row.id : JSON.stringify([model, row.id]);
      const number = cases.code(key);
      const before = number < nCases ? factsOfCase[number] : undefined;
      if (before === undefined) {
        if (number === factsOfCase.length) factsOfCase = doubled(factsOfCase);
        factsOfCase[number] = place;
        nCases += 1;
      } else if (before !== place)
        return { repeat: 0, problem: contradiction(row.id, facts[before]!, facts[place]!) };
      if (repeat !== null) {
        const pair = JSON.stringify([key, repeat]);
        if (seen.has(pair))
          return {
            repeat: 0,
            problem: `the case ${quoted(row.id)} has a second row with repeat ${shown(repeat)}; expected one`,
          };
        seen.add(pair);
        const numbers = stated.get(model) ?? new Map<unknown, number>();
        stated.set(model, numbers);
        if (!numbers.has(repeat)) numbers.set(repeat, numbers.size);
        return { repeat: numbers.get(repeat)!, problem: null };
      }
      if (before === undefined) return { repeat: 0, problem: null };
      const n = answers.get(key) ?? 1;
      answers.set(key, n + 1);
      repeated.add(row.id);
      return { repeat: n, problem: null };
    },

    notices(): RowNotice[] {
      if (answers.size === 0) return [];
      const most = Math.max(...answers.values());
      return [
        {
          code: 'repeats',
          message: `${counted(repeated.size, 'case')} ${repeated.size === 1 ? 'has' : 'have'} several rows (up to ${most}): they are read as repeats, in the order of the file, and intervals take the rows of a case together`,
        },
      ];
    },
  };
}

function doubled(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * list.length);
  longer.set(list);
  return longer;
}

function contradiction(id: string, before: Facts, now: Facts): string {
  const field = FACTS.find((fact) => before[fact] !== now[fact]) ?? FACTS[0];
  return `${field} of the case ${quoted(id)} is ${shown(now[field])}, and ${shown(before[field])} in an earlier row; expected the same in all rows of a case. Where the id names a patient with several cases, it is no id: read it as metadata, and cluster by it`;
}
