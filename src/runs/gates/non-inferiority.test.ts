import { describe, expect, it } from 'vitest';
import { rowsFrom } from '../../../test/compare-fixture.ts';
import { scoredRun } from '../../analyses/comparison/scored-run.ts';
import { abstentionRate, accuracy, selectiveAccuracy, unsafeAnswerRate } from '../../metrics/catalogue.ts';
import type { Metric } from '../../metrics/metric.ts';
import { checkNonInferiority } from './non-inferiority.ts';

function checkAll(model: string, baseline: string, margin = 0.1, metric: Metric = accuracy()) {
  return checkNonInferiority(scoredRun(rowsFrom(model)), scoredRun(rowsFrom(baseline)), {
    metric,
    margin,
    baselineName: 'old.db',
    resamples: 400,
    seed: 42,
    level: 0.95,
  });
}
const check = (...given: Parameters<typeof checkAll>) => checkAll(...given)[0]!;
const good = `${'+'.repeat(95)}${'-'.repeat(5)}`;
const bad = `${'+'.repeat(60)}${'-'.repeat(40)}`;

describe('checkNonInferiority', () => {
  it('passes when the whole interval is above the margin', () => {
    expect(check(good, good)).toEqual({
      text: 'non-inferior to old.db on accuracy by 0.1',
      status: 'pass',
      message: 'difference 0.000 (-0.037 to +0.037, n 100): not worse by more than 0.1',
    });
    expect(check(good, bad).status).toBe('pass');
  });

  it('fails when it is below, and decides nothing when it is across', () => {
    expect(check(bad, good)).toMatchObject({
      status: 'fail',
      message: expect.stringContaining(': worse by more than 0.1'),
    });
    const slightlyWorse = `${'+'.repeat(88)}${'-'.repeat(12)}`;
    expect(check(slightlyWorse, good)).toMatchObject({
      status: 'undecided',
      message: expect.stringContaining('the interval includes a loss of 0.1, so it cannot be decided'),
    });
  });

  it('cannot pass with two rows, nor with a few that agree', () => {
    expect(check('++', '++', 0.02).status).toBe('undecided');
    expect(check('+'.repeat(100), '+'.repeat(100), 0.02).status).toBe('undecided');
    expect(check('+'.repeat(400), '+'.repeat(400), 0.02).status).toBe('pass');
  });

  it('decides on a metric that is no share only where ten records differ and resamples vary', () => {
    const [same] = checkAll(good, good, 0.1, selectiveAccuracy());
    expect(same).toMatchObject({
      status: 'undecided',
      message: expect.stringContaining('no variation in resamples'),
    });
    const nine = `${'-'.repeat(9)}${good.slice(9)}`;
    expect(checkAll(good, nine, 0.1, selectiveAccuracy())[0]).toMatchObject({
      status: 'undecided',
      message: expect.stringContaining('the runs differ on 9 cases'),
    });
    expect(
      checkAll(good, `-${nine.slice(0, 9)}${nine.slice(10)}`, 0.1, selectiveAccuracy())[0],
    ).toMatchObject({
      status: 'pass',
    });
  });

  it('compares coverage too where the metric is over answered rows only', () => {
    const silent = `${'+'.repeat(60)}${'o'.repeat(40)}`;
    const verdicts = checkAll(silent, good, 0.1, selectiveAccuracy());
    expect(verdicts.map(({ text, status }) => [text, status])).toEqual([
      ['non-inferior to old.db on selective_accuracy by 0.1', 'pass'],
      ['non-inferior to old.db on answer_rate by 0.1', 'fail'],
    ]);
    expect(checkAll(good, bad)).toHaveLength(1);
  });

  describe('with clusters', () => {
    /** One letter for each patient, who has 20 records. */
    const byPatient = (letters: string) =>
      scoredRun(
        rowsFrom([...letters].map((letter) => letter.repeat(20)).join('')).map((row, i) => ({
          ...row,
          metadata: { ...row.metadata, patient: Math.floor(i / 20) },
        })),
        { keep: ['patient'] },
      );
    const verdict = (model: string, baseline: string, cluster?: string, metric: Metric = accuracy()) =>
      checkNonInferiority(byPatient(model), byPatient(baseline), {
        metric,
        margin: 0.1,
        baselineName: 'old.db',
        resamples: 400,
        seed: 42,
        level: 0.95,
        cluster,
      })[0]!;
    const same = '+'.repeat(20);

    it('takes them together', () => {
      const oneWorse = '+++++++++++++++-++++';
      expect(verdict(oneWorse, same).status).toBe('pass');
      expect(verdict(oneWorse, same, 'patient')).toMatchObject({
        status: 'undecided',
        message: expect.stringContaining('n 400 in 20 clusters): the interval includes a loss of 0.1'),
      });
    });

    it('does not pass on few that agree, and passes on many', () => {
      expect(verdict(same, same, 'patient').status).toBe('undecided');
      expect(verdict(same.repeat(2), same.repeat(2), 'patient').status).toBe('pass');
    });

    it('decides nothing with fewer than ten, or where one has nearly all records', () => {
      expect(verdict('+'.repeat(9), '+'.repeat(9), 'patient')).toEqual({
        text: 'non-inferior to old.db on accuracy by 0.1',
        status: 'undecided',
        message:
          'accuracy cannot be compared on 180 cases in both runs: 9 clusters are too few, at least 10 are needed',
      });
      const uneven = scoredRun(
        rowsFrom('+'.repeat(100)).map((row, i) => ({
          ...row,
          metadata: { ...row.metadata, patient: Math.max(0, i - 85) },
        })),
        { keep: ['patient'] },
      );
      const options = {
        metric: accuracy(),
        margin: 0.1,
        baselineName: 'old.db',
        resamples: 0,
        seed: 42,
        level: 0.95,
      };
      expect(checkNonInferiority(uneven, uneven, { ...options, cluster: 'patient' })[0]!.message).toContain(
        'too many of the cases are in one or a few clusters',
      );
    });

    it('is turned for metrics of which less is better', () => {
      const worse = '-'.repeat(20);
      expect(verdict(worse, same, 'patient', unsafeAnswerRate()).status).toBe('fail');
      expect(verdict(same, worse, 'patient', unsafeAnswerRate()).status).toBe('pass');
      const turned = verdict('++++++++++++----++++', same, 'patient', unsafeAnswerRate());
      expect(turned).toMatchObject({
        status: verdict('++++++++++++----++++', same, 'patient').status,
        message: expect.stringContaining('difference +0.200'),
      });
    });
  });

  it('averages repeats: a loss in one of three is a third of a loss', () => {
    const repeated = (...words: string[]) => scoredRun(words.flatMap((word) => rowsFrom(word)));
    const once = '+'.repeat(200);
    const lost = `${'-'.repeat(30)}${once.slice(30)}`;
    const options = {
      metric: accuracy(),
      margin: 0.1,
      baselineName: 'old.db',
      resamples: 0,
      seed: 42,
      level: 0.95,
    };
    const verdict = (model: ReturnType<typeof repeated>) =>
      checkNonInferiority(model, repeated(once, once, once), options)[0]!;
    expect(verdict(repeated(lost, once, once))).toMatchObject({
      status: 'pass',
      message: expect.stringContaining('difference -0.050'),
    });
    // By the majority these two would be worse by nothing and by 0.15.
    expect(verdict(repeated(lost, lost, once)).message).toContain('difference -0.100');
    // Whether a failed repeat was right decides at most a third of its record.
    const failed = `${'x'.repeat(8)}${once.slice(8)}`;
    expect(verdict(repeated(failed, once, once))).toMatchObject({
      status: 'pass',
      message: expect.stringContaining('which cannot change it'),
    });
  });

  it('is turned for metrics of which less is better', () => {
    expect(check(good, bad, 0.1, unsafeAnswerRate()).status).toBe('pass');
    expect(check(bad, good, 0.1, unsafeAnswerRate()).message).toContain('worse by more than');
  });

  it('needs a metric with a good side, and a margin', () => {
    expect(() => check(good, good, 0.1, abstentionRate())).toThrow(
      expect.objectContaining({ code: 'ERR_NON_INFERIORITY_METRIC' }),
    );
    for (const margin of [0, -1, Number.NaN])
      expect(() => check(good, good, margin)).toThrow('the margin is');
  });

  it('cannot decide when failed rows might', () => {
    // Where the baseline was wrong, a failed row cannot have made it worse.
    expect(check(`${good.slice(0, -4)}xxxx`, good, 0.05).status).toBe('pass');
    expect(check(`xxxx${good.slice(4)}`, good, 0.05)).toMatchObject({
      status: 'undecided',
      message: expect.stringContaining('what they might have been decides'),
    });
    expect(check(`x${good.slice(1)}`, good, 0.1)).toMatchObject({
      status: 'pass',
      message: expect.stringContaining('which cannot change it'),
    });
    expect(check(`x${bad.slice(1)}`, good, 0.1).status).toBe('fail');
    // The baseline might have been right just where the model was wrong.
    expect(check(good, `${good.slice(0, 95)}xxxxx`, 0.05).status).toBe('undecided');
  });

  it('cannot bound what is no mean over records', () => {
    expect(check(`x${good.slice(1)}`, bad, 0.1, selectiveAccuracy())).toMatchObject({
      status: 'undecided',
      message: expect.stringContaining('is not known'),
    });
  });

  it('cannot compare runs that share nothing', () => {
    const empty = scoredRun([]);
    const [verdict] = checkNonInferiority(empty, scoredRun(rowsFrom('+')), {
      metric: accuracy(),
      margin: 0.1,
      baselineName: 'old',
      resamples: 10,
      seed: 1,
      level: 0.95,
    });
    expect(verdict).toMatchObject({ status: 'undecided', message: expect.stringContaining('0 cases') });
  });

  it('refuses records that are not the same', () => {
    const other = scoredRun(rowsFrom('+++', { groundTruth: 'no' }));
    const options = {
      metric: accuracy(),
      margin: 0.1,
      baselineName: 'old',
      resamples: 10,
      seed: 1,
      level: 0.95,
    };
    expect(() => checkNonInferiority(scoredRun(rowsFrom('+++')), other, options)).toThrow(
      '3 cases have another truth',
    );
  });
});
