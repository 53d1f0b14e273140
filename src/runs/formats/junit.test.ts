import { DOMParser } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { HOSTILE, smallResult } from '../../../test/report-fixture.ts';
import { xmlText } from '../../reports/xml-text.ts';
import type { ReportOptions } from '../report-options.ts';
import type { RunResult } from '../run-result.ts';
import { renderJunit } from './junit.ts';

const report = await smallResult();

function casesOf(change: Partial<RunResult> = {}, options: ReportOptions = {}) {
  const xml = renderJunit({ ...report, ...change }, options);
  const document = new DOMParser().parseFromString(xml, 'text/xml');
  const suite = document.querySelector('testsuite')!;
  const cases = [...document.querySelectorAll('testcase')];
  return {
    xml,
    suite,
    cases,
    // This parser leaves attributes as they are written.
    named: (name: string) => cases.find((one) => one.getAttribute('name') === xmlText(name))!,
    failures: [...document.querySelectorAll('failure')].map((one) => one.getAttribute('message')),
  };
}
const failed = (n: number): Partial<RunResult> => ({
  ledger: { ...report.ledger, n: 24 + n, failed_timeout: n },
});

describe('renderJunit', () => {
  it('counts its cases, and a complete run has no failure', () => {
    const { suite, cases, failures } = casesOf();
    expect(suite.getAttribute('tests')).toBe(String(cases.length));
    expect([suite.getAttribute('failures'), failures]).toEqual(['0', []]);
    expect(suite.getAttribute('time')).toBe('1.250');
    expect(cases.length).toBe(2 + report.card.scores.length);
  });

  it('has a case for every metric, with its number', () => {
    const { named } = casesOf();
    const score = report.card.scores.find(({ name }) => name === 'accuracy')!;
    const value = named('metric: accuracy').querySelector('property[name="value"]')!.getAttribute('value');
    expect(Number(value)).toBe(score.value);
    expect(named('metric: accuracy').querySelector('system-out')!.textContent).toContain(
      `${score.nSuccesses} of 24`,
    );
  });

  it('passes over a metric without a value, and says why', () => {
    const scores = report.card.scores.map((score) =>
      score.name === 'accuracy' ? { ...score, value: null, reason: 'no_rows' } : score,
    );
    const { named, suite } = casesOf({ card: { ...report.card, scores } });
    expect(named('metric: accuracy').querySelector('skipped')!.getAttribute('message')).toBe(
      'no value: no_rows',
    );
    expect(Number(suite.getAttribute('skipped'))).toBeGreaterThan(0);
  });

  it('says why rows failed, with an example, in the case that fails', () => {
    const cause = {
      role: 'model' as const,
      problem: 'web_page',
      status: 200,
      says: 'a web page came back instead of JSON',
      advice: 'check --base-url',
      nRows: 2,
      nCalls: 4,
      nRetries: 0,
      example: 'm: received <html>',
    };
    const { named, failures } = casesOf({ ...failed(2), failures: [cause] });
    const words = '2 cases, 4 calls: a web page came back instead of JSON (HTTP 200); check --base-url';
    expect(failures).toEqual([`2 of 26 cases failed: failed_timeout 2; ${words}`]);
    expect(named('no case failed').querySelector('system-err')!.textContent).toBe(
      `${words}\n  for example: m: received <html>`,
    );
    const stopped = casesOf({ status: 'stopped', failures: [{ ...cause, nRows: 0 }] });
    expect(stopped.named('the run is complete').querySelector('system-err')!.textContent).toContain(
      '4 calls: a web',
    );
    expect(casesOf({ failures: [cause] }).xml).not.toContain('system-err');
  });

  it('fails when the run is not complete', () => {
    const { failures } = casesOf({ status: 'stopped', stoppedBecause: 'auth: no key' });
    expect(failures).toEqual(['the run is stopped (auth: no key): 0 of 24 cases were not asked']);
  });

  it('fails when more rows failed than are tolerated', () => {
    expect(casesOf(failed(2)).failures).toEqual(['2 of 26 cases failed: failed_timeout 2']);
    expect(casesOf(failed(2), { tolerance: 0.1 }).failures).toEqual([]);
    expect(casesOf(failed(3), { tolerance: 0.1 }).failures).toHaveLength(1);
  });

  it('takes up conditions; one that cannot be decided is not green', () => {
    const verdicts = [
      { text: 'accuracy >= 0.5', status: 'pass', message: '0.6 is' },
      { text: 'accuracy >= 0.9', status: 'fail', message: '0.6 is not' },
      { text: 'qwk > 0', status: 'undecided', message: 'no value' },
      { text: 'ece < 1', status: 'undecided', message: 'old', reason: 'cached_replies' },
    ] as const;
    const { failures, named } = casesOf({}, { verdicts });
    expect(failures).toEqual(['0.6 is not', 'no value', 'old']);
    expect(named('gate: qwk > 0').querySelector('failure')!.getAttribute('type')).toBe('undecided');
    expect(named('gate: accuracy >= 0.5').querySelector('failure')).toBeNull();
    const reason = (gate: string) => named(gate).querySelector('property[name="reason"]');
    expect(reason('gate: ece < 1')!.getAttribute('value')).toBe('cached_replies');
    expect(reason('gate: qwk > 0')).toBeNull();
  });

  it('says the warnings', () => {
    const warnings = [{ code: 'few_rows', message: 'n = 24 & few' }];
    expect(casesOf({ warnings }).xml).toContain('<system-out>few_rows: n = 24 &amp; few</system-out>');
  });

  it('cannot be broken by a name', () => {
    const { xml, suite } = casesOf({ backendName: HOSTILE, suiteName: HOSTILE });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(xml).not.toMatch(/[\u0000-\u0009\u000b-\u001f]|<b>|^forged/m);
    expect(suite.getAttribute('name')).toContain('forged: line');
  });
});
