import { URGENCY_QUESTION } from '../core/deferral-reasons.ts';
import { KrisisError } from '../core/errors.ts';
import type { EvaluationResult } from '../core/evaluation-result.ts';
import { type Label, sameLabel } from '../core/label.ts';
import { readRun } from '../runs/read-run.ts';
import type { RunResult } from '../runs/run-result.ts';
import { needsKeptText, textNotKept } from '../store/protected-data.ts';
import { seenRecordHash, seenTextHash } from '../store/review/review-file.ts';
import type { ReviewKind, ReviewTarget } from '../store/review/review-schema.ts';
import { type HashedTarget, type ReviewShown, targetKey } from '../store/review/review-session.ts';
import { RunFile } from '../store/run-file.ts';

type Features = Readonly<Record<string, unknown>>;

/** A target that can be drawn, with everything that strata are made of. */
export interface FrameUnit extends HashedTarget {
  /** What the judge said of an item; null without a judge, and for records. */
  readonly verdict: string | null;
  /** Whether judges, passes or repeats differ; null where there is only one. */
  readonly differs: boolean | null;
  /** A critical item, or a record that the suite marks as an emergency. */
  readonly isCritical: boolean;
  /** How the row ended: `right`, `wrong`, `abstained`, ... */
  readonly outcome: string;
  /** Whether the item is one that an answer must not say. */
  readonly isForbidden: boolean;
  /** The trait of an item, and its line; null for records. */
  readonly line: { readonly traitName: string; readonly instruction: string } | null;
  /** The hash that a label of kind `suite_item` carries in place of the answer's: that of the question, or of the record. */
  readonly recordHash: string;
}

/** All targets of a run, and what reviewers see of them. */
export interface ReviewFrame {
  readonly targets: ReviewKind;
  readonly units: readonly FrameUnit[];
  readonly runId: string | null;
  readonly suiteHash: string | null;
  readonly suiteName: string;
  readonly isProtected: boolean;
  /** The judge, or jury, of the verdicts; null without one. */
  readonly judge: string | null;
  /** What a reviewer sees of these targets, by `targetKey`. A target whose text is not there, or is another than was drawn, is left out. */
  shown(targets: readonly HashedTarget[]): ReadonlyMap<string, ReviewShown>;
  /** What a review that is not blind shows in addition. */
  verdictText(target: ReviewTarget): string | null;
}

interface FrameOptions {
  /** Allow texts of protected data to be shown to reviewers. Default: false. */
  readonly includeText?: boolean | undefined;
  /** The records as the suite has them, by id, for a run that does not store them. Default: those of the run file. */
  readonly records?: ReadonlyMap<string, Features> | undefined;
  /** Review the test itself: whether rubric lines, or records with their labels, are right. Default: false. */
  readonly suiteItems?: boolean | undefined;
}

/**
 * The targets of a run that people can review: items of judged answers, or records of a run with labels.
 *
 * @throws KrisisError where the run holds no texts to review, or protected ones without `includeText`.
 */
export function reviewFrame(
  runPath: string,
  { includeText = false, records, suiteItems = false }: FrameOptions = {},
): ReviewFrame {
  const manifest = RunFile.use(runPath, (file) => file.manifest());
  const isProtected = (manifest.sensitivity ?? 'protected') === 'protected';
  const kind = KINDS[manifest.kind];
  if (kind.needsText(manifest)) throw textNotKept(runPath);
  if (isProtected && !includeText)
    throw new KrisisError(
      `${runPath}: its data are protected; reviewers would see texts about patients, which needs your explicit consent (includeText)`,
      { code: 'ERR_REVIEW_PROTECTED', value: runPath },
    );
  const result = readRun(runPath, { resamples: 0, review: null });
  try {
    const about = {
      runId: result.runId,
      suiteHash: result.suiteHash,
      suiteName: result.suiteName,
      isProtected,
    };
    const frame = kind.read(runPath, result, records);
    return { ...about, ...(suiteItems ? suiteFrame(frame, result) : frame) };
  } finally {
    result.close();
  }
}

type Frame = Pick<ReviewFrame, 'targets' | 'units' | 'judge' | 'shown' | 'verdictText'>;

/** What people review of a run of each kind. */
const KINDS = {
  text: { needsText: needsKeptText, read: itemFrame },
  labels: { needsText: () => false, read: recordFrame },
};

function itemFrame(runPath: string, { judging }: RunResult, given: FrameOptions['records']): Frame {
  const differs = differingItems(runPath);
  const units: FrameUnit[] = [];
  const shown = new Map<string, ReviewShown>();
  const verdicts = new Map<string, string>();
  let judge: string | null = null;
  for (const answer of judging?.answers ?? []) {
    const { answer: text } = answer;
    const asked = answer.question ?? given?.get(answer.id)?.question;
    const question = typeof asked === 'string' ? asked : null;
    if (question === null || text === null || answer.state !== 'answered') continue;
    for (const { trait, items, judge: by } of answer.metricTraits) {
      judge ??= by;
      for (const item of items) {
        const target = { kind: 'item', recordId: answer.id, repeat: answer.repeat, itemId: item.id } as const;
        const key = targetKey(target);
        if (shown.has(key)) continue;
        const background = trait.description;
        shown.set(key, { kind: 'item', question, answer: text, item: item.instruction, background });
        const verdict = by === null ? null : item.class;
        if (verdict !== null) verdicts.set(key, verdict);
        units.push({
          ...target,
          answerHash: seenTextHash(text),
          itemHash: seenTextHash(item.instruction),
          recordHash: seenTextHash(question),
          verdict,
          differs: differs.get(key) ?? null,
          isCritical: item.critical === true,
          isForbidden: item.kind === 'forbidden',
          outcome: answer.state,
          line: { traitName: trait.name, instruction: item.instruction },
        });
      }
    }
  }
  const isStored = given !== undefined || judging?.answers.some(({ question }) => question !== null);
  if (units.length === 0)
    throw isStored
      ? noTargets(runPath, 'it has no answers that metric traits apply to')
      : notStored(runPath, 'its questions');
  const hashes = new Map(units.map((unit) => [targetKey(unit), unit]));
  return {
    targets: 'item',
    units,
    judge,
    shown: (targets) =>
      new Map(
        targets
          .filter((target) => isSame(hashes.get(targetKey(target)), target))
          .map((target) => [targetKey(target), shown.get(targetKey(target))!]),
      ),
    verdictText: (target) => verdicts.get(targetKey(target)) ?? null,
  };
}

/** Whether the verdicts of several judges or passes on an item differ. */
function differingItems(runPath: string): ReadonlyMap<string, boolean> {
  const said = new Map<string, string[]>();
  RunFile.use(runPath, (file) => {
    for (const { recordId, repeat, judge, outcome } of file.judgements.read()) {
      // Entries of our own: functions, and lists in place of verdicts.
      if (judge.startsWith('krisis/')) continue;
      const { verdicts } = outcome as { verdicts?: readonly { id: string; verdict: string }[] };
      for (const { id, verdict } of verdicts ?? []) {
        const key = targetKey({ kind: 'item', recordId, repeat, itemId: id });
        said.set(key, [...(said.get(key) ?? []), verdict]);
      }
    }
  });
  const several = [...said].filter(([, verdicts]) => verdicts.length > 1);
  return new Map(several.map(([key, verdicts]) => [key, new Set(verdicts).size > 1]));
}

function recordFrame(runPath: string, result: RunResult, given: FrameOptions['records']): Frame {
  const { task, instructions: question } = result;
  const answers = new Map<
    string,
    { outcome: string; decisions: Set<string>; isCritical: boolean; said: string }
  >();
  // Reviewers are asked about urgency where the suite itself says which records are emergencies.
  let hasMustAct = false;
  for (const row of result.rows()) {
    const id = row.id!;
    hasMustAct ||= typeof row.metadata.must_act === 'boolean';
    const decision = decisionText(row.state, row.prediction);
    const known = answers.get(id);
    if (known === undefined)
      answers.set(id, {
        outcome: nameOutcome(row),
        decisions: new Set([decision]),
        isCritical: row.metadata.must_act === true,
        said: decision,
      });
    else known.decisions.add(decision);
  }
  const features = (id: string, stored: Features | null) => given?.get(id) ?? stored;
  const units: FrameUnit[] = [];
  RunFile.use(runPath, (file) => {
    for (const { id, features: stored } of file.records.read()) {
      const record = features(id, stored);
      const answer = answers.get(id);
      if (record === null || answer === undefined) continue;
      const recordHash = seenRecordHash(record);
      units.push({
        kind: 'record',
        recordId: id,
        repeat: 0,
        itemId: null,
        answerHash: recordHash,
        itemHash: seenTextHash(''),
        recordHash,
        verdict: null,
        differs: result.repeats > 1 ? answer.decisions.size > 1 : null,
        isCritical: answer.isCritical,
        isForbidden: false,
        outcome: answer.outcome,
        line: null,
      });
    }
  });
  if (units.length === 0) throw notStored(runPath, 'what the model was shown');
  const labels = task?.labels ?? [];
  const reasons = Object.keys(task?.deferralReasons ?? {});
  // Where labels themselves mean to act, urgency is part of the decision.
  const urgencyQuestion = hasMustAct && !task?.actLabels?.length ? URGENCY_QUESTION : null;
  return {
    targets: 'record',
    units,
    judge: null,
    shown(targets) {
      const wanted = new Map(targets.map((target) => [target.recordId, target]));
      const found = new Map<string, ReviewShown>();
      RunFile.use(runPath, (file) => {
        for (const { id, features: stored } of file.records.read()) {
          const target = wanted.get(id);
          const record = target === undefined ? null : features(id, stored);
          if (record !== null && seenRecordHash(record) === target!.answerHash)
            found.set(targetKey(target!), {
              kind: 'record',
              question,
              record,
              labels,
              urgencyQuestion,
              reasons,
            });
        }
      });
      return found;
    },
    verdictText: ({ recordId }) => answers.get(recordId)?.said ?? null,
  };
}

/** The test itself: each rubric line of a question, or each record with its label, once. */
function suiteFrame(frame: Frame, result: RunResult): Frame {
  const truths = new Map<string, string>();
  if (frame.targets === 'record') for (const row of result.rows()) truths.set(row.id!, truthText(row));
  const units = new Map<string, FrameUnit>();
  const answered = new Map<string, FrameUnit>();
  for (const unit of frame.units) {
    const own = { ...unit, kind: 'suite_item', repeat: 0, answerHash: unit.recordHash } as const;
    const key = targetKey(own);
    if (units.has(key)) continue;
    units.set(key, own);
    answered.set(key, unit);
  }
  const describeClaim = ({ recordId, line, isForbidden }: FrameUnit) =>
    line === null
      ? truths.get(recordId)!
      : `The answer ${isForbidden ? 'must not say' : 'should say'}: ${line.instruction}`;
  return {
    targets: 'suite_item',
    units: [...units.values()],
    judge: null,
    shown(targets) {
      const wanted = targets.filter((target) => isSame(units.get(targetKey(target)), target));
      const shown = frame.shown(wanted.map((target) => answered.get(targetKey(target))!));
      return new Map(
        wanted.flatMap((target): [string, ReviewShown][] => {
          const key = targetKey(target);
          const own = shown.get(targetKey(answered.get(key)!));
          if (own === undefined) return [];
          const record = own.kind === 'record' ? own.record : null;
          return [
            [
              key,
              { kind: 'suite_item', question: own.question, record, claim: describeClaim(units.get(key)!) },
            ],
          ];
        }),
      );
    },
    verdictText: () => null,
  };
}

/** What the suite says of a record. */
function truthText({ groundTruth, metadata }: Pick<EvaluationResult, 'groundTruth' | 'metadata'>): string {
  const label = groundTruth === null ? 'no answer exists' : `the answer is ${groundTruth}`;
  const deferral = metadata.should_abstain === true ? ', and it should be deferred' : '';
  return `The suite says: ${label}${deferral}${metadata.must_act === true ? '; it is an emergency and needs action today' : ''}.`;
}

function decisionText(state: string, prediction: Label | null): string {
  return state === 'answered' && prediction !== null ? String(prediction) : state;
}

function nameOutcome(row: {
  readonly state: string;
  readonly prediction: Label | null;
  readonly groundTruth: Label | null;
}): string {
  if (row.state !== 'answered' || row.prediction === null) return row.state;
  if (row.groundTruth === null) return 'no_label';
  return sameLabel(row.prediction, row.groundTruth) ? 'right' : 'wrong';
}

function isSame(unit: FrameUnit | undefined, target: HashedTarget): boolean {
  return unit?.answerHash === target.answerHash && unit.itemHash === target.itemHash;
}

/** Runs on protected data keep neither records nor questions. */
function notStored(runPath: string, what: string): KrisisError {
  return new KrisisError(`${runPath}: the run file does not hold ${what}; the suite that was run is needed`, {
    code: 'ERR_REVIEW_NEEDS_SUITE',
    value: runPath,
  });
}

function noTargets(runPath: string, why: string): KrisisError {
  return new KrisisError(`${runPath}: nothing to review: ${why}`, {
    code: 'ERR_REVIEW_PLAN',
    value: runPath,
  });
}
