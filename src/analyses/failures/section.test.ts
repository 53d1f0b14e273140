import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { reportOf, rows } from '../../../test/run-report-fixture.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { renderMarkdown } from '../../reports/formats/markdown.ts';
import { renderText } from '../../reports/formats/text.ts';
import { runDocument } from '../../runs/run-document.ts';
import type { RunResult } from '../../runs/run-result.ts';
import type { RunFailure } from './failures.ts';

const PAGE: RunFailure = {
  role: 'model',
  problem: 'web_page',
  status: 200,
  says: 'a web page came back instead of JSON',
  advice: 'check --base-url',
  nRows: 8,
  nCalls: 16,
  nRetries: 0,
  example: 'x/m: received a web page instead',
};
const failed = Array.from({ length: 8 }, (_, i) =>
  evaluationResult({ id: `f${i}`, groundTruth: 'G1', state: 'failed', stateReason: 'malformed' }),
);
const textOf = (report: RunResult) => stripVTControlCharacters(renderText(runDocument(report)));
const CAUSE = '8 cases, 16 calls: a web page came back instead of JSON (HTTP 200)';

describe('what failed', () => {
  it('is said after the headline: cause, what to do, and an example', () => {
    const report = reportOf({ failures: [PAGE] }, [...rows, ...failed]);
    const text = textOf(report);
    expect(text).toContain(
      `What failed\n${CAUSE}\n  check --base-url\n  for example: x/m: received a web page instead\n`,
    );
    expect(text.indexOf('What failed')).toBeGreaterThan(text.indexOf('Usable answers: 31 of 40'));
    expect(text.indexOf('What failed')).toBeLessThan(text.indexOf('All metrics'));
    const page = renderMarkdown(runDocument(report));
    expect(page).toContain(`### ${CAUSE}`);
    expect(page).toContain('- check --base-url\n- for example: x/m: received a web page instead');
  });

  it('comes first where every row failed, and one sentence replaces the tables of metrics', () => {
    const report = reportOf({ failures: [PAGE] }, failed);
    const [first, second] = runDocument(report).sections.map(({ title }) => title);
    expect([first, second]).toEqual(['What failed', 'Headline']);
    const text = textOf(report);
    expect(text).toContain('No case was scored, so there are no metrics.');
    expect(text).not.toContain('no value');
    expect(text).not.toContain('All metrics');
    expect(renderMarkdown(runDocument(report))).not.toContain('All metrics');
  });

  it('says that no row is missing where all were answered in the end, and what was tried again', () => {
    const calls = { ...PAGE, nRows: 0, nCalls: 2 };
    const retried = {
      ...PAGE,
      problem: 'server',
      says: 'the server failed',
      status: 500,
      nRows: 0,
      nCalls: 0,
    };
    const report = reportOf({ failures: [calls, { ...retried, nRetries: 3 }] });
    expect(textOf(report)).toContain('Failed calls\n2 calls: a web page came back');
    expect(textOf(report)).toContain('No case is missing because of them');
    expect(renderMarkdown(runDocument(report))).toContain(
      'Besides, 3 calls were tried again: the server failed (HTTP 500) 3.',
    );
    expect(textOf(reportOf({ failures: [{ ...retried, nRetries: 3 }] }))).not.toContain('tried again:');
    expect(textOf(reportOf({ failures: [calls], status: 'stopped' }))).toContain('What failed\n2 calls:');
  });

  it('names the judge whose calls failed', () => {
    const report = reportOf({ failures: [{ ...PAGE, role: 'judge' }] });
    expect(textOf(report)).toContain('8 answers, 16 calls of the judge: a web page came back');
  });

  it('is the cause and the status alone for protected data', () => {
    expect(textOf(reportOf({ failures: [{ ...PAGE, example: null }] }))).not.toContain('for example');
  });
});

describe('replies that could not be used', () => {
  it('are grouped by reason with an example, apart from what failed', () => {
    const report = reportOf({
      unusableReplies: [
        { reason: 'no_json', says: 'the reply had no JSON', nRows: 1, example: 'I <b>think</b> so' },
      ],
    });
    expect(textOf(report)).toContain(
      'Replies that could not be used\n1 case: the reply had no JSON\n  for example: I <b>think</b> so\n',
    );
    expect(textOf(report)).not.toContain('What failed');
  });
});
