import { stripVTControlCharacters } from 'node:util';
import { parse } from 'csv-parse/sync';
import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import {
  ANSWERS,
  goodJudge,
  judgeOf,
  runInto,
  textBackend,
  VERDICTS,
} from '../../test/question-run-fixture.ts';
import { renderHtml } from '../reports/formats/html/render-html.ts';
import { renderMarkdown } from '../reports/formats/markdown.ts';
import { renderText } from '../reports/formats/text.ts';
import { aggregateTrait } from '../rubrics/aggregate/aggregate-trait.ts';
import { parseHumanLabels } from '../rubrics/calibration/human-labels.ts';
import { parseQuestionSuite } from '../suites/questions/question-suite.ts';
import { csvChunks } from './formats/csv.ts';
import { formatMetricsJsonReport, jsonChunks, metricsObject } from './formats/json.ts';
import { renderJunit } from './formats/junit.ts';
import { readRun } from './read-run.ts';
import type { ReportOptions } from './report-options.ts';
import { runDocument } from './run-document.ts';
import type { RunResult } from './run-result.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let report: RunResult;
let labelled: RunResult;
let calibrated: RunResult;
/** Answers, questions and quotes of a hostile model and judge. */
let hostile: RunResult;
const EVIL = '<script>alert(1)</script> [x](http://evil) =1+1 \u001b[2J |';

beforeAll(async () => {
  const path = await runInto(folder.file('run.db'), { passes: 2 });
  report = readRun(path);
  labelled = readRun(path, {
    labels: parseHumanLabels(
      '{"question_id":"missed","trait":"safe","instruction":"Warns of potassium","verdict":"present"}',
    ),
  });
  calibrated = await calibratedRun(folder.file('calibrated.db'));
  const judge = judgeOf(
    () => ({
      verdicts: { ...VERDICTS, 'Keeps cuffs off the arm': { verdict: 'present', quotes: [EVIL] } },
      traits: { plain_words: 4, tone: 'warm' },
    }),
    `judge${EVIL}`,
  );
  const backend = textBackend((question) => (question.startsWith('What about') ? EVIL : ANSWERS[question]!), {
    name: `=model${EVIL}`,
  });
  hostile = readRun(await runInto(folder.file('evil.db'), { judge, backend }));
});

/** A judge that is right on 40 questions, and labels of two people on a random sample of all items. */
async function calibratedRun(path: string): Promise<RunResult> {
  const ids = Array.from({ length: 40 }, (_, i) => `q${i}`);
  const trait = { name: 'advice', metrics: ['recall'], tp_instructions: ['Says yes', 'Says no'] };
  const suite = parseQuestionSuite({
    name: 'unit/many',
    sensitivity: 'synthetic',
    questions: ids.map((id) => ({
      id,
      question: id,
      should_abstain: false,
      rubric: { metric_traits: [trait] },
    })),
  });
  const judge = judgeOf(() => ({ verdicts: { 'Says yes': { verdict: 'present', quotes: ['yes'] } } }));
  await runInto(path, { suite, judge, backend: textBackend(() => 'yes') });
  const labels = ids.flatMap((id) =>
    ['ann', 'bob'].flatMap((rater) =>
      ['present', 'absent'].map((verdict, i) => ({
        question_id: id,
        trait: 'advice',
        instruction: trait.tp_instructions[i],
        verdict,
        rater,
        inclusion_probability: 0.5,
      })),
    ),
  );
  return readRun(path, {
    labels: parseHumanLabels(labels.map((label) => JSON.stringify(label)).join('\n')),
  });
}

const json = (of: RunResult) => [...jsonChunks(of)].join('');
const csv = (of: RunResult) => [...csvChunks(of)].join('');
const text = (of: RunResult, options: ReportOptions = {}) => renderText(runDocument(of, options), 1000);
const markdown = (of: RunResult, options: ReportOptions = {}) => renderMarkdown(runDocument(of, options));
const html = (of: RunResult, options: ReportOptions = {}) => renderHtml(runDocument(of, options));
const FORMATS: Record<string, (of: RunResult) => string> = {
  text,
  json,
  metrics: formatMetricsJsonReport,
  markdown,
  html,
  csv,
  junit: renderJunit,
};
const VERDICT = { text: 'safe.recall >= 0.9', status: 'fail', message: 'safe.recall is 0.5' } as const;

describe.each(Object.entries(FORMATS))('%s', (_, format) => {
  it('is the same to the byte every time', () => {
    const again = readRun(report.path!);
    expect(format(again)).toBe(format(report));
  });

  it('lets no text command the terminal', () => {
    expect(stripVTControlCharacters(format(hostile))).not.toContain('\u001b');
  });
});

describe('text', () => {
  const plain = (of: RunResult, isBrief: boolean) => stripVTControlCharacters(text(of, { isBrief }));

  it('has traits pooled and by question, abstention, the judge, and warnings', () => {
    const said = plain(report, true);
    expect(said).toMatch(
      /^unit\/advice, unit\/model: 3 questions\njudged by unit\/judge \(2 passes\); judge not calibrated\n/,
    );
    expect(said).toContain('items 8: present 5 · absent 2 · unclear 1');
    expect(said).toMatch(/safe \(full_matrix\): 1 question, 4 of 4 items scored/);
    expect(said).toMatch(/fistula\s+2\/1\/0\/0\s+3 of 3\s+1\.000 \(0\.342 to 1\.000\)/);
    expect(said).toMatch(/Deferral Alignment\s+1\.000/);
    expect(said).toContain('over 2 passes agreement 1.000, flip rate 0.000');
    expect(said).toContain('! Judge not calibrated');
    expect(said).not.toContain('[1>');
  });

  it('shows the evidence in full', () => {
    const said = plain(report, false);
    expect(said).toContain(
      '[1>Keep cuffs [2>off that arm<1 present]. Feel the <i>thrill</i<2 present]> daily prn.',
    );
    expect(said).toMatch(
      /3\. forbidden, safe: Claims it is harmless: present\n\s+"One missed session is harmless"/,
    );
    expect(said).toContain('5. required, advice: Advises drinking less: unclear, not scored');
  });

  it('shows the judge against people where there are labels', () => {
    const said = plain(labelled, true);
    expect(said).toMatch(/Against verdicts of people\s+kappa/);
    expect(said).toMatch(/judge not calibrated\n/);
    expect(said).toContain('no: 1 of 30 labels present; 0 of 30 labels not present; 1 of 20 questions');
    expect(said).toContain('Judge not calibrated: labels were compared, and are not enough');
  });

  it('calls the judge calibrated where the labels are enough for that word', () => {
    const said = plain(calibrated, true);
    expect(said).toMatch(/judge calibrated\n/);
    expect(said).toContain('Judge calibrated: its errors were measured on a random sample and are not bad.');
    expect(said).not.toContain('not calibrated');
  });
});

describe('JSON', () => {
  it('is strict, with sorted keys', () => {
    const object = JSON.parse(json(report));
    expect(Object.keys(object)).toEqual(Object.keys(object).toSorted());
  });

  it('has the rubric of every row', () => {
    const [fistula, missed, biopsy] = JSON.parse(json(report)).evaluation_results;
    expect(fistula.rubric).toMatchObject({
      metric_trait_scores: { advice: { precision: 1, recall: 2 / 3, f1: 0.8 } },
      metric_trait_confusion_lists: {
        advice: {
          tp: ['Keep cuffs off that arm', 'off that arm. Feel the <i>thrill</i>'],
          fn: ['Calls bleeding an emergency'],
          fp: [],
          tn: [],
        },
      },
      llm_trait_scores: { kind: true, plain_words: 4, tone: 'warm' },
      regex_trait_scores: { no_latin: false },
      callable_trait_scores: {},
    });
    expect(fistula.rubric.verdicts[0]).toMatchObject({
      trait: 'advice',
      verdict: 'present',
      quotes: [{ text: 'Keep cuffs off that arm', start: 0, end: 23 }],
    });
    expect(missed.rubric.metric_trait_scores.advice).toEqual({ recall: null });
    expect(missed.rubric.metric_trait_details.advice.metrics.recall).toMatchObject({
      reason: 'no_required_items',
      bounds: { lower: 0, upper: 1 },
    });
    expect([biopsy.abstained, biopsy.ledger_class]).toEqual([true, 'abstained']);
  });

  it('has the numbers alone where asked', () => {
    const {
      $schema,
      evaluation_results: _,
      extras,
      n_evaluation_results: n,
      ...rest
    } = JSON.parse(json(report));
    expect(n).toBe(3);
    expect(JSON.parse(formatMetricsJsonReport(report))).toEqual({ $schema, ...rest, execution: extras });
    expect(JSON.parse(JSON.stringify(metricsObject(report)))).toEqual({ ...rest, execution: extras });
    expect(rest.judge).toMatchObject({
      calibrated: false,
      calibration_reason: 'no_labels',
      calibration: null,
    });
    expect(rest.metrics).not.toHaveProperty('accuracy');
  });
});

describe('Markdown', () => {
  it('has its parts, and nothing of others is markup', () => {
    const said = markdown(report, { verdicts: [VERDICT] });
    for (const heading of [
      'Before quoting a number',
      'Conditions',
      'Other traits',
      'Can the judge be trusted?',
      'Evidence',
      'Method and provenance',
    ])
      expect(said).toContain(`\n## ${heading}\n`);
    expect(said).toContain('judge not calibrated');
    expect(said).toContain('> \\[1\\>Call the unit\\<1 present\\] today');
    const evil = markdown(hostile);
    expect(evil).not.toMatch(/[^\\]<script|[^\\]\[x\]/);
  });
});

describe('HTML', () => {
  const documentOf = (of: RunResult) => parseHTML(html(of, { verdicts: [VERDICT] })).document;

  it('marks quotes with words, not with colour alone, where they overlap as well', () => {
    const [answer] = documentOf(report).querySelectorAll('#evidence .answer');
    const marks = [...answer!.querySelectorAll('mark')].map(({ textContent, className }) => [
      textContent,
      className,
    ]);
    expect(marks).toEqual([
      ['Keep cuffs ', 'for'],
      ['off that arm', 'for several'],
      ['. Feel the <i>thrill</i', 'for'],
    ]);
    expect(answer!.textContent).toBe(
      'Keep cuffs off that arm[1 present]. Feel the <i>thrill</i[2 present]> daily prn.',
    );
  });

  it('marks what counts against the answer', () => {
    const against = [...documentOf(report).querySelectorAll('mark.against')].map(
      ({ textContent }) => textContent,
    );
    expect(against).toEqual(['One missed session is harmless']);
  });

  it('has every instruction with verdict and quote', () => {
    const rows = [...documentOf(report).querySelectorAll('#answer-2 table tbody tr')].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    );
    expect(rows).toContainEqual([
      '3',
      'safe',
      'forbidden',
      'Claims it is harmless',
      'present',
      'One missed session is harmless',
    ]);
    expect(rows).toContainEqual([
      '5',
      'advice',
      'required',
      'Advises drinking less',
      'unclear, not scored',
      '',
    ]);
  });

  it('says that the judge is not calibrated, until it is', () => {
    const badges = (of: RunResult) =>
      [...documentOf(of).querySelectorAll('.badge')].map(({ textContent }) => textContent);
    expect(badges(report)).toEqual(['judge not calibrated']);
    expect(badges(labelled)).toEqual(['judge not calibrated']);
    expect(badges(calibrated)).toEqual([]);
    expect(documentOf(labelled).querySelector('#judge')!.textContent).toContain('Against verdicts of people');
  });

  it('links to what is there, and holds no element that others wrote', () => {
    for (const of of [report, hostile]) {
      const document = documentOf(of);
      for (const link of document.querySelectorAll('a')) {
        const target = link.getAttribute('href')!;
        expect(target).toMatch(/^#/);
        expect(document.querySelector(target)).not.toBeNull();
      }
      expect(document.querySelectorAll('script, img, iframe, .answer i, .answer b')).toHaveLength(0);
    }
  });
});

describe('lists that the judge filled itself', () => {
  it('are shown beside the numbers by instruction', () => {
    const { trait } = report.judging!.answers[0]!.metricTraits[0]!;
    const counts = { tp: 3, fn: 1, fp: 0, tn: 0 };
    const aggregate = aggregateTrait(trait, [{ questionId: 'fistula', counts }]);
    const listLevel = [{ trait: 'advice', judge: 'unit/judge', nFailed: 1, ...aggregate, answers: [] }];
    const both = { ...report, judging: { ...report.judging!, listLevel } };
    for (const said of [text(both), markdown(both), html(both)]) {
      expect(said).toContain('advice, as unit/judge lists it: 1 question, 1 without usable lists');
      expect(said).toContain('0.750');
      expect(said).toContain('0.667');
    }
  });
});

describe('CSV', () => {
  const rows = (of: RunResult) => parse(csv(of), { columns: true }) as Record<string, string>[];

  it('has one line for each question and item, and lines for the other traits', () => {
    const of = (source: string) => rows(report).filter((row) => row.source === source);
    expect(['metric', 'llm', 'regex', 'abstention'].map((source) => of(source).length)).toEqual([8, 9, 3, 3]);
    expect(of('metric')[0]).toMatchObject({
      id: 'fistula',
      trait: 'advice',
      verdict: 'present',
      scored: 'true',
      quote: 'Keep cuffs off that arm',
      start: '0',
      end: '23',
      judge: 'unit/judge',
    });
    expect(of('abstention').map(({ value }) => value)).toEqual(['false', 'false', 'true']);
  });

  it('has no cell that is a formula', () => {
    for (const row of rows(hostile))
      for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+@]/);
  });
});

describe('JUnit', () => {
  it('has a case for everything, and fails what failed', async () => {
    const said = renderJunit(report, { verdicts: [VERDICT] });
    expect(said).toMatch(/failures="1"/);
    expect(said).toContain('<failure type="fail" message="safe.recall is 0.5"/>');
    expect(said).toContain('name="score: safe (full_matrix): specificity, pooled"');
    expect(said).toContain('<property name="judge_calibrated" value="false"/>');
    const empty = await runInto(folder.file('empty.db'), {
      backend: textBackend(() => ' '),
      judge: goodJudge(),
    });
    expect(renderJunit(readRun(empty))).toMatch(/no case failed[\s\S]*3 of 3 cases failed: failed_empty/);
    expect(renderJunit(readRun(empty), { tolerance: 1 })).toContain('failures="0"');
  });
});
