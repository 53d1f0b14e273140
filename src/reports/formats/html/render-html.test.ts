import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { extras, reportOf, rows } from '../../../../test/run-report-fixture.ts';
import { evaluationResult } from '../../../core/evaluation-result.ts';
import type { RunStatus } from '../../../core/states.ts';
import { runDocument } from '../../../runs/run-document.ts';
import type { RunResult } from '../../../runs/run-result.ts';
import { renderHtml } from './render-html.ts';

const htmlReport = (...args: Parameters<typeof runDocument>) => renderHtml(runDocument(...args));
const documentOf = (...args: Parameters<typeof runDocument>) => parseHTML(htmlReport(...args)).document;
const headings = (document: ReturnType<typeof documentOf>) =>
  [...document.querySelectorAll('h2')].map(({ textContent }) => textContent);

describe('renderHtml', () => {
  it('has its parts in reading order', () => {
    const verdict = { text: 'accuracy >= 0.9', status: 'fail', message: '0.7 is less' } as const;
    const document = documentOf(reportOf(), { verdicts: [verdict] });
    expect(headings(document)).toEqual([
      'Before quoting a number',
      'Answered 0 of 8 cases that should be deferred; answered 3 of 32 cases wrong',
      'Headline',
      'Conditions',
      'From the suite to the answers',
      'How every case ended',
      'Is confidence what it says?',
      'Does it know which answers to doubt?',
      'Which confidence threshold is safe?',
      'Truth and answer',
      'How decisions turned out',
      'Right decisions, by reason and by right answer',
      'Strata and subgroups',
      'All metrics',
      'Execution: time, tokens, cost',
      'Method and provenance',
      'Prompt templates',
      'Reporting checklist',
    ]);
    expect(document.querySelector('#gates')!.textContent).toContain('0.7 is less');
    for (const link of document.querySelectorAll('nav a'))
      expect(document.querySelector(link.getAttribute('href')!)).not.toBeNull();
  });

  it('names what was run, and when', () => {
    const facts = documentOf(reportOf()).querySelector('body')!.textContent!;
    for (const fact of [
      'demo/model on ckd/staging',
      'natural',
      '2026-03-01 12:30 UTC',
      'version 0.1.0',
      'demo.db',
    ])
      expect(facts).toContain(fact);
    expect(facts).not.toContain('/data/runs');
  });

  it('has its badges', () => {
    const badges = (change: Partial<RunResult>) =>
      [...documentOf(reportOf(change)).querySelectorAll('.badge')].map(({ textContent }) => textContent);
    expect(badges({})).toEqual([]);
    expect(
      badges({
        extras: { ...extras, simulated: true },
        imported: { format: 'python', source: 'x', sha256: 'y', hasRows: true },
        sensitivity: 'protected',
        status: 'interrupted',
      }),
    ).toEqual(['simulated model', 'imported from python', 'protected data', 'incomplete: interrupted']);
  });

  it('is the same to the byte when rendered again', () => {
    expect(htmlReport(reportOf())).toBe(htmlReport(reportOf()));
  });

  it('needs nothing but itself, and runs nothing', () => {
    const text = htmlReport(reportOf());
    expect(text).toContain("default-src 'none'; style-src 'unsafe-inline'; img-src data:");
    expect(text).not.toMatch(/<script|<link|<img|<iframe|\ssrc=|@import|url\(|https?:/);
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">/);
  });

  it('gives every chart a title, words for it, and its data', () => {
    const document = documentOf(reportOf());
    const charts = [...document.querySelectorAll('figure > svg')];
    expect(charts.length).toBeGreaterThan(8);
    for (const chart of charts) {
      expect(chart.getAttribute('role')).toBe('img');
      expect(chart.querySelector('title')!.textContent).not.toBe('');
      expect(chart.querySelector('desc')!.textContent).not.toBe('');
      expect(chart.parentElement!.querySelector('details table, .legend')).not.toBeNull();
    }
  });

  it('lets nothing of model, suite or data become markup', () => {
    const evil = `</title></style></svg><script>alert(1)</script><img src=x onerror="alert(1)">'"&`;
    const hostile = [
      ...rows.map((row) => ({
        ...row,
        groundTruth: row.groundTruth === 'G1' ? evil : row.groundTruth,
        metadata: { ...row.metadata, sex: evil },
      })),
      evaluationResult({ groundTruth: 'G1', state: 'failed', stateReason: evil }),
    ];
    const pairs = { [evil]: evil };
    const report = reportOf(
      {
        path: `/x/${evil}`,
        backendName: evil,
        suiteName: evil,
        suiteHash: evil,
        suite: { ...pairs, labels: { [evil]: 1 }, provenance: { ...pairs, source: evil }, warnings: [evil] },
        task: {
          kind: 'labels',
          id: evil,
          labels: [evil],
          positiveLabel: evil,
          ordered: true,
          labelFromValues: false,
          urgencyAsked: null,
          actLabels: null,
          stratum: { key: 'ckd_stage', label: 'stage' },
          deferralReasons: null,
          pack: evil,
        },
        arm: evil,
        instructions: evil,
        primaryEndpoint: { metric: evil, arm: evil, why: evil },
        sensitivity: evil,
        status: evil as RunStatus,
        stoppedBecause: evil,
        createdAt: evil,
        krisisVersion: evil,
        parameters: pairs,
        egress: pairs,
        imported: { format: evil, source: evil, sha256: evil, hasRows: true },
        extras: {
          ...extras,
          model_ids: [evil],
          prompt_modes: [evil],
          prompt_templates: [{ prompt_mode: evil, prompt: [{ role: evil, content: evil }] }],
        },
        warnings: [{ code: evil, message: evil }],
      },
      hostile,
    );
    const card = {
      ...report.card,
      scores: report.card.scores.map((score) => ({ ...score, label: evil, reads: evil })),
    };
    const text = htmlReport(
      { ...report, card },
      { verdicts: [{ text: evil, status: 'fail', message: evil }] },
    );
    expect(text).not.toMatch(/<script|<img/);
    expect(text).not.toContain('</title></style>');
    const { document } = parseHTML(text);
    const known = new Set(
      'html head meta title style body div header h1 ul li dl dt dd code nav a main section h2 p span h3 strong figure svg desc g path rect text tspan circle line figcaption details summary table caption thead tbody tr th td em pre br footer'.split(
        ' ',
      ),
    );
    for (const element of document.querySelectorAll('*')) {
      expect(known).toContain(element.localName);
      expect(element.getAttributeNames().filter((name: string) => name.startsWith('on'))).toEqual([]);
    }
  });

  it('says of a run without rows what cannot be drawn', () => {
    const document = documentOf(reportOf({ figures: null }));
    for (const id of ['calibration', 'risk-coverage', 'confusion', 'deferral', 'groups'])
      expect(document.querySelector(`#${id} p`)!.textContent).toBe(
        'This run came without its cases, so there is nothing to draw here.',
      );
    expect(document.querySelector('#metrics table')).not.toBeNull();
  });

  it('renders without confidences, without deferral labels and without rows', () => {
    const silent = rows.map((row) => ({ ...row, confidence: null, metadata: {} }));
    const document = documentOf(reportOf({}, silent, {}));
    expect(document.querySelector('#calibration')!.textContent).toContain('31 without one, 0 outside 0 to 1');
    expect(document.querySelector('#deferral')!.textContent).toContain('deferral cannot be judged');
    const empty = htmlReport(reportOf({}, [], {}));
    expect(empty).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('stays below 2 MB at 100,000 rows, however different they are', () => {
    const many = Array.from({ length: 100_000 }, (_, i) =>
      i % 50 === 0
        ? evaluationResult({ groundTruth: 'a', state: 'failed', stateReason: `reason ${i}` })
        : evaluationResult({
            groundTruth: `label ${i % 70}`,
            prediction: `label ${(i * 7) % 71}`,
            confidence: i / 100_000,
            metadata: { should_abstain: i % 9 === 0 },
          }),
    );
    const prompts = Array.from({ length: 1000 }, (_, i) => ({
      prompt_mode: 'single',
      prompt: `${i} ${'x'.repeat(50_000)}`,
    }));
    const report = reportOf({ extras: { ...extras, prompt_templates: prompts } }, many, { resamples: 0 });
    const dots = Array.from({ length: 100_000 }, (_, i) => ({
      metric: 'accuracy',
      by: 'site',
      group: `site ${i}`,
      n: 1,
      value: 1,
      lower: 0.2,
      upper: 1,
    }));
    const figures = { ...report.figures!, dots: [...report.figures!.dots, ...dots] };
    expect(htmlReport({ ...report, figures }).length).toBeLessThan(2_000_000);
  });
});
