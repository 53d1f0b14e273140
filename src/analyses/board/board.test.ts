import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import type { EmergencyRule } from '../../core/decision-class.ts';
import { type EvaluationResult, evaluationResult } from '../../core/evaluation-result.ts';
import { boardChart } from '../../reports/charts/board.ts';
import { boardAt, ratesAt } from '../../reports/charts/board-classes.ts';
import { layOutBoard, markAt, markCentre, placeMark } from '../../reports/charts/board-layout.ts';
import { BoardBuilder } from './board.ts';

let next = 0;
function row(more: Partial<EvaluationResult>): EvaluationResult {
  next += 1;
  return evaluationResult({ id: `r${next}`, groundTruth: 'a', prediction: 'a', confidence: 0.9, ...more });
}

const canAnswer = { should_abstain: false, must_act: false };
const emergency = { should_abstain: false, must_act: true };
const rows = [
  row({ confidence: 0.9, metadata: canAnswer }),
  row({ confidence: 0.8, metadata: emergency }),
  row({ confidence: 0.7, metadata: { should_abstain: true } }),
  row({ confidence: 0.6, prediction: 'b', metadata: canAnswer }),
  row({ confidence: null, metadata: canAnswer }),
  row({ abstained: true, prediction: null, metadata: emergency }),
  row({ state: 'invalid', prediction: null, metadata: canAnswer }),
  row({ state: 'failed', prediction: null, metadata: canAnswer }),
  row({ state: 'not_run', prediction: null, metadata: canAnswer }),
];
const THRESHOLDS = [0.9, 0.8, 0.7, 0.6];

function boardOf(
  given: readonly EvaluationResult[],
  emergencyRule: EmergencyRule = 'silence',
  thresholds: readonly number[] = THRESHOLDS,
  actLabels: readonly string[] = [],
) {
  const builder = new BoardBuilder(actLabels);
  for (const each of given) builder.add(each);
  return builder.finish({ emergencyRule, repeats: 1 }, thresholds)!;
}

const classesAt = (board: ReturnType<typeof boardOf>, threshold: number | null) =>
  Object.fromEntries(
    boardAt(board, threshold).map(({ kind, classes }) => [
      kind,
      Object.fromEntries(classes.map(({ name, before, now }) => [name, [before, now]])),
    ]),
  );

describe('the classes of a board', () => {
  it('are those of the rows where every answer is accepted; rows that were not asked are left out', () => {
    expect(classesAt(boardOf(rows), null)).toEqual({
      must_act: { missed_emergency: [1, 1], right_answer: [1, 1] },
      should_defer: { answered_should_defer: [1, 1] },
      can_answer: { wrong_answer: [1, 1], unusable: [1, 1], failed: [1, 1], right_answer: [2, 2] },
    });
  });

  it('turn into deferrals below a threshold; an answer without a confidence is never accepted by one', () => {
    expect(classesAt(boardOf(rows), 0.9)).toEqual({
      must_act: { missed_emergency: [1, 2], right_answer: [1, 0] },
      should_defer: { answered_should_defer: [1, 0], rightly_deferred: [0, 1] },
      can_answer: {
        wrong_answer: [1, 0],
        deferred_without_need: [0, 2],
        unusable: [1, 1],
        failed: [1, 1],
        right_answer: [2, 1],
      },
    });
  });

  it('keep an alarm that was stated apart from the answer, and lose one that the answer was', () => {
    const flagged = row({
      confidence: 0.6,
      groundTruth: 'em',
      prediction: 'em',
      urgent: true,
      metadata: emergency,
    });
    expect(classesAt(boardOf([flagged], 'urgency'), 0.9).must_act).toEqual({
      deferred_without_need: [0, 1],
      right_answer: [1, 0],
    });
    expect(classesAt(boardOf([flagged], 'label', THRESHOLDS, ['em']), 0.9).must_act).toEqual({
      missed_emergency: [0, 1],
      right_answer: [1, 0],
    });
  });

  it('keep the counts of every threshold where confidences lie between two of them', () => {
    const many = Array.from({ length: 500 }, (_, i) => row({ confidence: i / 500, metadata: canAnswer }));
    const steps = [0.75, 0.5, 0.25];
    const board = boardOf(many, 'silence', steps);
    expect(board.groups.map((group) => group.steps)).toEqual([
      [
        { confidence: 0.75, n: 125 },
        { confidence: 0.5, n: 125 },
        { confidence: 0.25, n: 125 },
        { confidence: null, n: 125 },
      ],
    ]);
    for (const at of steps)
      expect(classesAt(board, at).can_answer!.right_answer![1]).toBe(
        many.filter(({ confidence }) => confidence! >= at).length,
      );
  });
});

describe('the rates of a board', () => {
  it('count by the definitions of the metrics, emergencies among them', () => {
    const at = (threshold: number | null) => {
      const { missedEmergency, wrongAnswer, answeredShouldDefer, deferredWithoutNeed } = ratesAt(
        boardOf(rows),
        threshold,
      );
      return [missedEmergency, wrongAnswer, answeredShouldDefer, deferredWithoutNeed];
    };
    expect(at(null)).toEqual([1, { n: 6, count: 1 }, { n: 1, count: 1 }, { n: 6, count: 1 }]);
    expect(at(0.8)).toEqual([1, { n: 6, count: 0 }, { n: 1, count: 0 }, { n: 6, count: 3 }]);
  });
});

describe('the drawing of a board', () => {
  const draw = (board: ReturnType<typeof boardOf>, threshold: number | null = null) => {
    const { document } = parseHTML('<!doctype html><html></html>');
    return boardChart({ title: 'Board', description: 'words', rows: board, threshold }, document);
  };
  const nodes = (svg: string) => [...svg.matchAll(/<\w/g)].length;
  /** Marks are the dashes of lines. */
  const marksIn = (svg: string, color: string) =>
    Math.max(
      ...[...svg.matchAll(/<path[^>]*>/g)].flatMap(([path]) => {
        if (!path.includes(`var(--${color}`)) return [];
        const [, dash, gap] = /stroke-dasharray="(\S+) (\S+)"/.exec(path)!;
        const lengths = [...path.matchAll(/h([\d.]+)/g)].map(([, length]) => Number(length));
        const period = Number(dash) + Number(gap);
        return lengths.reduce((sum, length) => sum + Math.floor(length / period + 1e-6) + 1, 0);
      }),
    );
  const answers = (n: number, wrongEvery: number) =>
    Array.from({ length: n }, (_, i) =>
      row({ prediction: i % wrongEvery === 0 ? 'b' : 'a', metadata: canAnswer }),
    );

  it('has one mark for each harm, and no more elements for more records', () => {
    const few = draw(boardOf(answers(1000, 10)));
    const many = draw(boardOf(answers(50_000, 10)));
    expect([marksIn(few, 'wrong-answer'), marksIn(few, 'right-answer')]).toEqual([100, 900]);
    expect([marksIn(many, 'wrong-answer'), marksIn(many, 'right-answer')]).toEqual([5000, 450]);
    expect(nodes(many)).toBe(nodes(few));
    expect(nodes(few)).toBeLessThan(40);
  });

  it('shows counts before and after a threshold, and says in words what it shows', () => {
    const text = draw(boardOf(rows), 0.9).replaceAll(/<[^>]+>/g, ' ');
    expect(text).toContain('1 → 2');
    expect(text).toContain('words');
  });

  it('finds the record of every mark, wherever it stands', () => {
    const board = boardOf([...rows, ...answers(300, 7)]);
    for (const width of [320, 900, 1300]) {
      const layout = layOutBoard(board, 0.9, width);
      for (const { kind, classes, marks } of layout.kinds)
        for (const { name, segments, now } of classes) {
          const first = segments[0]?.first ?? 0;
          for (let place = 0; place < now; place++) {
            const { x, y } = markCentre(marks, first + place);
            expect(x).toBeLessThan(width);
            expect(markAt(layout, x, y)).toMatchObject({ kind, class: name, place });
            expect(placeMark(layout, kind, name, place)).toMatchObject({ x, y, place });
          }
          expect(placeMark(layout, kind, name, now)).toBeNull();
        }
      expect(markAt(layout, -5, -5)).toBeNull();
    }
  });
});
