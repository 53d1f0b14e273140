import { describe, expect, it } from 'vitest';
import { HOSTILE, smallResult } from '../../../test/report-fixture.ts';
import type { RunStatus } from '../../core/states.ts';
import { formatReport } from '../../runs/render-documents.ts';
import { runDocument } from '../../runs/run-document.ts';
import { renderText } from './text.ts';

const result = await smallResult();
/** Wide enough that no line is broken. */
const width = 1000;
const text = formatReport(result, { width, sections: 'all' });
const textReport = (...args: Parameters<typeof runDocument>) => renderText(runDocument(...args), width);

describe('formatReport', () => {
  it('says what became of the rows, and every number with its interval and n', () => {
    expect(text).toMatch(/^demo\/yes-no, scripted: 24 cases\nanswered right \d+ · /);
    const { value, interval, nSuccesses } = result.metricScores.find(({ name }) => name === 'accuracy')!;
    const [lower, upper] = [interval!.lower, interval!.upper].map((bound) => bound.toFixed(3));
    expect(text).toMatch(
      new RegExp(
        `  Accuracy \\(over all cases\\) +${value!.toFixed(3)} +${lower} to ${upper} +${nSuccesses}/24  right`,
      ),
    );
  });

  it('sets numbers against what chance and constant policies reach', () => {
    expect(text).toMatch(/Deferral Alignment .*\(never deferring 0\.833, always 0\.167\)/);
    expect(text).toMatch(
      /Expected Calibration Error .*\(a calibrated model: 0\.\d{3}, up to 0\.\d{3}; p 0\.\d{3}\)/,
    );
  });

  it('has every field of the execution, templates as their number', () => {
    const section = text.slice(text.indexOf('\nExecution: time, tokens, cost\n'));
    // What judging took has a section of its own, in reports of open questions.
    const { prompt_templates: _, roles: _roles, ...fields } = result.extras;
    for (const name of Object.keys(fields)) expect(section).toMatch(new RegExp(`^  \\S.* ${name}$`, 'm'));
    expect(section).toMatch(/ 1 +prompt_templates_count$/m);
    expect(section).toMatch(/ 1\.250 s +elapsed_seconds$/m);
    expect(section).toMatch(/ - +no price is known.* cost_usd$/m);
  });

  it('warns', () => {
    for (const { message } of result.warnings) expect(text).toContain(`! ${message}`);
    const harm = text.indexOf('! Missed 1 of 1 emergencies: 1 deferred.');
    expect(harm).toBeGreaterThan(0);
    expect(harm).toBeLessThan(text.indexOf('All metrics'));
  });

  it('is aligned: columns of a table begin at the same place', () => {
    const lines = text.split('\n');
    const at = lines.findIndex((line) => line.startsWith('Right, and how often'));
    const end = lines.findIndex((line, i) => i > at && line === '');
    const place = lines[at]!.indexOf('meaning');
    for (const line of lines.slice(at + 1, end)) expect(line.slice(place - 2, place)).toBe('  ');
  });

  it('shows conditions', () => {
    const verdicts = [{ text: 'accuracy > 0.9', status: 'undecided', message: 'rows failed' }] as const;
    expect(textReport(result, { verdicts })).toContain('undecided accuracy > 0.9: rows failed');
  });

  it('lets no name command the terminal', () => {
    const report = { ...result, backendName: HOSTILE, status: HOSTILE as RunStatus };
    const warnings = [{ code: 'stopped', message: HOSTILE }];
    const left = textReport({ ...report, warnings })
      .replaceAll('\n', '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what our own colours begin with
      .replace(/\u001b\[\d+m/g, '');
    expect(left).not.toMatch(/\p{Cc}/u);
    expect(textReport({ ...report, warnings })).not.toMatch(/^forged/m);
  });
});
