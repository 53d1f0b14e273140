import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Any, evalFile, INTEROP, readFixture } from './interop.ts';
import { krisis } from './krisis.ts';
import { zip } from './zip.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-other-tools-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const SHARED = '../shared/data/interop';
const at = (name: string) => resolve(INTEROP, name);

function write(name: string, content: string | Buffer): string {
  writeFileSync(join(cwd, name), content);
  return name;
}

const writeJson = (name: string, value: unknown) => write(name, JSON.stringify(value));

async function score(file: string, ...more: readonly string[]) {
  const { stdout, stderr, code } = await krisis(['score', file, '--bootstrap', '0', '--json', ...more], {
    cwd,
  });
  expect(code, stderr).toBe(0);
  const { metrics, ledger } = JSON.parse(stdout);
  return { accuracy: metrics.accuracy, metrics, ledger, said: stderr };
}

async function refusal(...args: readonly string[]): Promise<string> {
  const { stdout, stderr, code } = await krisis(args, { cwd });
  expect([code, stdout]).toEqual([2, '']);
  return stderr;
}

describe('an Inspect log', () => {
  it('is scored by its letters, with failures and abstentions kept apart', async () => {
    const { accuracy, ledger, said } = await score(at('inspect.json'));
    expect(accuracy).toMatchObject({ n_successes: 9, n_evaluated: 11 });
    expect(ledger).toMatchObject({ n: 12, abstained: 1, failed_sample_error: 1 });
    expect(said).toContain('Inspect log, task pubmed, model lab/model-1, 12 samples, 2 epochs, choice');
    expect(said).toContain('prediction: scores.choice.answer');
    expect(said).toContain('confidence: scores.choice.metadata.confidence');
  });

  it.each([
    ['stored', 0],
    ['deflate', 8],
    ['zstd', 93],
  ])('is scored the same from an archive (%s)', async (_, method) => {
    const { metrics, ledger } = await score(at('inspect.json'));
    const archived = await score(write(`log-${method}.eval`, evalFile(undefined, { method })));
    expect([archived.metrics, archived.ledger]).toEqual([metrics, ledger]);
  });

  it('is compared with another by the epochs of each sample', async () => {
    const other = readFixture('inspect.json');
    other.eval.model = 'lab/model-2';
    for (const sample of other.samples) sample.scores = { choice: { value: 'C', answer: sample.target } };
    const [a, b] = [write('a.eval', evalFile()), write('b.eval', evalFile(other, { method: 93 }))];
    const { stdout, code } = await krisis(['compare', a, b, '--json'], { cwd });
    expect(code).toBe(0);
    const [pair] = JSON.parse(stdout).comparisons;
    expect(pair).toMatchObject({ baseline: 'lab/model-1', model: 'lab/model-2', n_paired: 6 });
    expect(pair.endpoints.accuracy.difference).toBeGreaterThan(0);
  });

  it('needs --scorer where it has several', async () => {
    const log = readFixture('inspect.json');
    for (const sample of log.samples)
      if (sample.scores.choice) sample.scores.judge = { value: sample.id === 'q1' ? 'I' : 'C', answer: 'A' };
    const file = writeJson('scorers.json', log);
    expect(await refusal('score', file)).toContain(
      'several scorers: choice, judge; choose one with --scorer NAME',
    );
    expect((await score(file, '--scorer', 'choice')).accuracy.n_successes).toBe(9);
    expect(await refusal('score', file, '--scorer', 'none')).toContain('no scorer "none"');
  });

  it('counts by the score of the tool where the truths are no closed set', async () => {
    const log = readFixture('inspect.json');
    for (const sample of log.samples) {
      delete sample.choices;
      sample.target = `An answer of its own to ${sample.id}`;
      if (sample.scores.choice) sample.scores.choice.value = sample.id === 'q2' ? 'P' : 'C';
    }
    const { metrics, said } = await score(writeJson('free.json', log));
    expect(said).toContain('the truths are no closed set of labels: answers count by the score of the tool');
    expect(metrics.mean_score.value).toBeCloseTo(10 / 11);
    expect(metrics.accuracy.value).toBeNull();
  });

  it('leaves samples that were not scored out, also where Python wrote NaN', async () => {
    const text = readFileSync(at('inspect.json'), 'utf8').replace('"value": "I"', '"value": NaN');
    const { ledger } = await score(write('nan.json', text));
    expect(ledger).toMatchObject({ failed_unscored: 1 });
  });

  it('takes fields that the user names', async () => {
    expect(await refusal('score', at('inspect.json'), '--columns', 'must_act=metadata.urgent')).toContain(
      'no answer has metadata.urgent, which is stated for must_act',
    );
    const log = readFixture('inspect.json');
    for (const sample of log.samples) sample.metadata.unclear = sample.id === 'q1' ? 'yes' : 'no';
    const found = await score(writeJson('named.json', log), '--columns', 'should_abstain=metadata.unclear');
    expect(found.metrics.answered_should_defer_rate).toMatchObject({ n_successes: 2, n_evaluated: 2 });
  });

  it('is refused where an id has two inputs', async () => {
    const log = readFixture('inspect.json');
    log.samples[6].input = 'another question';
    expect(await refusal('score', writeJson('inputs.json', log))).toContain(
      'the id q1 has different inputs in sample 1 and sample 7',
    );
  });

  it('stores no text, and is protected', async () => {
    const file = write('kept.eval', evalFile());
    const { code } = await krisis(['score', file, '--save', '--run', 'kept.db'], { cwd });
    expect(code).toBe(0);
    expect(readFileSync(join(cwd, 'kept.db'), 'latin1')).not.toContain('Does treatment');
  });
});

describe('krisis runs import', () => {
  it('writes a run file for each run, whole or not at all', async () => {
    const file = write('imported.eval', evalFile());
    const first = await krisis(['runs', 'import', file, '--json'], { cwd });
    expect(first.code, first.stderr).toBe(0);
    const { runs } = JSON.parse(first.stdout);
    expect(runs).toMatchObject([{ model: 'lab/model-1', n_rows: 12 }]);
    expect(await refusal('runs', 'import', file)).toContain('already exists');
    const report = await krisis(['report', runs[0].run_file, '--json'], { cwd });
    expect(JSON.parse(report.stdout).metrics.accuracy).toMatchObject({ n_successes: 9, n_evaluated: 11 });
    const { suite } = JSON.parse(report.stdout);
    expect(suite.sensitivity).toBe('protected');
    write('cut.eval', evalFile().subarray(0, 3000));
    await refusal('runs', 'import', 'cut.eval', '--run', 'cut.db');
    expect(existsSync(join(cwd, 'cut.db'))).toBe(false);
  });

  it('keeps what rows are grouped by where the cases are public', async () => {
    const file = write('public.eval', evalFile());
    const { code } = await krisis(['runs', 'import', file, '--sensitivity', 'public', '--run', 'public.db'], {
      cwd,
    });
    expect(code).toBe(0);
    const { stdout } = await krisis(['report', 'public.db', '--group-by', 'topic', '--json'], { cwd });
    expect(JSON.parse(stdout).suite.sensitivity).toBe('public');
  });
});

describe('krisis check', () => {
  it('says what a file is, and what is wrong with it', async () => {
    const { stdout, code } = await krisis(['check', at('helm')], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('HELM run, multiple_choice_joint, 8 instances');
    const bad = await krisis(['check', write('invalid.eval', evalFile().subarray(0, 3000))], { cwd });
    expect([bad.code, bad.stderr + bad.stdout]).toEqual([
      2,
      expect.stringContaining('the end of the ZIP archive'),
    ]);
  });
});

describe('an archive', () => {
  const log = readFixture('inspect.json');
  const withMember = (name: string, content: string, options = {}) =>
    evalFile(log, {}, [[name, content, options]]);

  it.each([
    ['an absolute name', withMember('/etc/x.json', '{}'), 'member "/etc/x.json" has an absolute name'],
    ['a name with ..', withMember('samples/../../x.json', '{}'), 'leads out of the archive'],
    ['an encrypted member', withMember('x.json', '{}', { flags: 1 }), 'member "x.json" is encrypted'],
    ['an unknown compression', withMember('x.json', '{}', { method: 12 }), 'has the compression method 12'],
    ['a member that is there twice', withMember('header.json', '{}'), 'member "header.json" is there twice'],
    ['a bomb', withMember('samples/x_epoch_1.json', ' '.repeat(2 ** 22)), 'ZIP bomb'],
    [
      'a member that is larger than stated',
      withMember('samples/x_epoch_1.json', JSON.stringify(log.samples[0]), { size: 10 }),
      'unpacks to more than the 10 bytes',
    ],
    [
      'the same in zstd',
      withMember('samples/x_epoch_1.json', JSON.stringify(log.samples[0]), { size: 10, method: 93 }),
      'unpacks to more than the 10 bytes',
    ],
    [
      'another checksum',
      withMember('samples/x_epoch_1.json', JSON.stringify(log.samples[0]), { crc: 1 }),
      'member "samples/x_epoch_1.json" is damaged',
    ],
    ['a cut', evalFile().subarray(0, 2000), 'the end of the ZIP archive is missing'],
    [
      'a header that is no JSON',
      zip([
        ['header.json', '{'],
        ['samples/a.json', '{}'],
      ]),
      'header.json: not JSON',
    ],
    [
      'bad UTF-8',
      zip([
        ['header.json', Buffer.from([0x7b, 0xff])],
        ['samples/a.json', '{}'],
      ]),
      'not UTF-8 text',
    ],
  ])('with %s is refused', async (_, content, message) => {
    expect(await refusal('score', write('bad.eval', content))).toContain(message);
  });

  it('without a sample that it lists is refused', async () => {
    const { samples, ...header } = log;
    const content = zip([
      ['header.json', JSON.stringify(header)],
      ['samples/q1_epoch_1.json', JSON.stringify(samples[0])],
      [
        'summaries.json',
        JSON.stringify([
          { id: 'q1', epoch: 1 },
          { id: 'q2', epoch: 1 },
        ]),
      ],
    ]);
    expect(await refusal('score', write('missing.eval', content))).toContain(
      'member samples/q2_epoch_1.json is missing',
    );
  });
});

describe('lm-evaluation-harness', () => {
  it('counts by its metric where the model writes', async () => {
    const { accuracy, said } = await score(at('lm_eval.jsonl'));
    expect(accuracy).toMatchObject({ n_successes: 5, n_evaluated: 8 });
    expect(said).toContain('score: exact_match');
  });

  it('chooses the largest log-likelihood, with its softmax as the confidence', async () => {
    const { accuracy, metrics, said } = await score(at('lm_eval_choices.jsonl'));
    expect(accuracy).toMatchObject({ n_successes: 5, n_evaluated: 8 });
    expect(said).toContain('multiple choice');
    expect(metrics.brier_top_label.n_evaluated).toBe(8);
  });

  it('needs --scorer where it has several filters', async () => {
    const lines = readFileSync(at('lm_eval.jsonl'), 'utf8').trim().split('\n');
    const strict = lines.map((line) =>
      JSON.stringify({ ...JSON.parse(line), filter: 'strict', exact_match: 0 }),
    );
    const file = write('filters.jsonl', [...lines, ...strict].join('\n'));
    expect(await refusal('score', file)).toContain('several scorers: none, strict');
    expect((await score(file, '--scorer', 'none')).accuracy.n_successes).toBe(5);
    expect((await score(file, '--scorer', 'strict')).accuracy.n_successes).toBe(0);
  });

  it('is refused where a line is there twice', async () => {
    const [line] = readFileSync(at('lm_eval.jsonl'), 'utf8').split('\n');
    expect(await refusal('score', write('twice.jsonl', `${line}\n${line}\n`))).toContain(
      'twice.jsonl:2: the document 0 is also in line 1',
    );
  });
});

describe('HELM', () => {
  it.each(['helm', 'helm/scenario_state.json'])('is read from %s', async (name) => {
    const { accuracy, ledger, metrics, said } = await score(at(name));
    expect(accuracy).toMatchObject({ n_successes: 4, n_evaluated: 7 });
    expect(ledger).toMatchObject({ failed_request_failed: 1 });
    expect(metrics.brier_top_label.n_evaluated).toBe(7);
    expect(said).toContain('HELM run, multiple_choice_joint, 8 instances');
  });
});

describe('promptfoo', () => {
  it('finds labels in words, names what matches none, and leaves errors out', async () => {
    const { accuracy, ledger, said } = await score(at('promptfoo.json'));
    expect(accuracy).toMatchObject({ n_successes: 4, n_evaluated: 7 });
    expect(ledger).toMatchObject({ invalid: 1, failed_provider_error: 1 });
    expect(said).toContain(
      '! 1 of 7 answers (14.3 %) match no label: invalid; the most frequent: "I would rather not say" (1)',
    );
  });

  it('reads stored evaluations too', async () => {
    const { results, ...rest } = readFixture('promptfoo.json');
    const stored = results.results.map(({ response, ...result }: Any) => ({
      ...result,
      providerResponse: response,
    }));
    const file = writeJson('stored.json', {
      ...rest,
      id: 'eval-1',
      results: stored,
      prompts: results.prompts,
    });
    expect((await score(file)).accuracy).toMatchObject({ n_successes: 4, n_evaluated: 7 });
  });

  it('has a run for each provider and prompt', async () => {
    const content = readFixture('promptfoo.json');
    const more = content.results.results.map((result: Any) => ({
      ...result,
      provider: { id: 'lab:model-2' },
    }));
    content.results.results.push(...more);
    const file = writeJson('providers.json', content);
    expect(await refusal('score', file)).toContain('2 runs: lab:model-1, lab:model-2');
    const { stdout, code } = await krisis(['compare', file, '--json'], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).comparisons[0]).toMatchObject({ model: 'lab:model-2', n_paired: 7 });
  });
});

describe('Every Eval Ever', () => {
  it.each(['every_eval_ever_samples.jsonl', 'every_eval_ever.json'])('is read from %s', async (name) => {
    const { accuracy, ledger, said } = await score(at(name));
    expect(accuracy).toMatchObject({ n_successes: 5, n_evaluated: 8 });
    expect(ledger.abstained).toBe(1);
    expect(said).toContain('Every Eval Ever samples, bench, lab/model-1, 8 samples');
  });

  it('needs the samples beside an aggregate', async () => {
    const file = writeJson('alone.json', readFixture('every_eval_ever.json'));
    expect(await refusal('score', file)).toContain(
      'an aggregate of Every Eval Ever with 1 score and no answers',
    );
  });
});

describe('Karenina', () => {
  it('has results that count by the verdict of the template, or of a trait', async () => {
    const { accuracy, ledger, said } = await score(at('karenina.json'));
    expect(accuracy).toMatchObject({ n_successes: 4, n_evaluated: 7 });
    expect(ledger).toMatchObject({ abstained: 1, failed_timeout: 1 });
    expect(said).toContain('they are never executed');
    const clarity = await score(at('karenina.json'), '--scorer', 'clarity');
    expect(clarity.accuracy).toMatchObject({ n_successes: 3, n_evaluated: 7 });
  });

  it('has checkpoints that are suites of open questions', async () => {
    const { stdout, code } = await krisis(['check', at('karenina.jsonld')], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('Open questions: 2 questions, 4 traits, 1 item');
    expect(stdout).toContain('trait "Length": left out, it is Python code');
    expect(stdout).toContain('trait "Clarity": deep judgment is left out');
    expect(stdout).toContain('question "urn:demo:q1": its answer template is Python, and is left out');
    const args = [
      'run',
      at('karenina.jsonld'),
      '--model',
      'baseline/reference',
      '--judge',
      'baseline/lexical',
    ];
    const run = await krisis([...args, '--run', 'karenina.db'], { cwd });
    expect(run.code, run.stderr).toBe(0);
    const report = await krisis(['report', 'karenina.db', '--json'], { cwd });
    for (const name of ['Clarity', 'Safe', 'Gene symbol', 'Items']) expect(report.stdout).toContain(name);
  });

  it('names why a checkpoint without usable traits is refused', async () => {
    const feed = readFixture('karenina.jsonld');
    delete feed.rating;
    for (const { item } of feed.dataFeedElement) delete item.rating;
    const said = await refusal('run', writeJson('none.jsonld', feed), '--model', 'baseline/reference');
    expect(said).toContain('none of its 2 questions has a trait that can be carried over');
  });
});

describe('HealthBench Professional', () => {
  const line = {
    id: 'case-1',
    conversation: { messages: [{ role: 'user', content: 'May I give drug X with drug Y?' }] },
    rubric_items: [
      { criterion_text: 'Names the interaction', points: 7 },
      { criterion_text: 'Says that it is safe', points: -5 },
    ],
    use_case: 'consult',
    type: 'good_faith',
    difficulty: 'typical',
    specialty: 'cardiology',
    physician_response: 'Avoid it: the interaction prolongs the QT interval.',
  };

  it.each([
    ['an object', line],
    ['a list', { ...line, conversation: line.conversation.messages }],
  ])('is a suite of open questions (the conversation is %s)', async (_, content) => {
    const file = write('professional.jsonl', `${JSON.stringify(content)}\n`);
    const { stdout, code } = await krisis(['check', file], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('Open questions: 1 question, 1 trait, 2 items');
    const imported = await krisis(['runs', 'import', 'healthbench', file, '-o', 'hb.jsonl', '--force'], {
      cwd,
    });
    expect(imported.code, imported.stderr).toBe(0);
    expect(readFileSync(join(cwd, 'hb.jsonl'), 'utf8')).toContain('"use_case:consult"');
  });
});

describe.skipIf(!existsSync(SHARED))('the samples of the tools themselves', () => {
  const real = (name: string) => resolve(SHARED, name);

  it.each([
    ['inspect_pubmedqa.json', 2, 2],
    ['log_formats.eval', 0, 1],
    ['mmlu-no-summary-choices.eval', 0, 1],
    ['lm_eval_samples.jsonl', 0, 10],
    ['every_eval_ever_samples.jsonl', 1, 1],
  ])('%s: %i of %i right', async (name, right, n) => {
    expect((await score(real(name))).accuracy).toMatchObject({ n_successes: right, n_evaluated: n });
  });

  it('a folder of HELM: 1 of 10 right', async () => {
    mkdirSync(join(cwd, 'helm-run'));
    for (const [from, to] of [
      ['helm_scenario_state.json', 'scenario_state.json'],
      ['helm_per_instance.json', 'per_instance_stats.json'],
    ] as const)
      cpSync(real(from), join(cwd, 'helm-run', to));
    expect((await score('helm-run')).accuracy).toMatchObject({ n_successes: 1, n_evaluated: 10 });
  });

  it.each(['promptfoo_cli.json', 'promptfoo_v4.json'])('%s: two prompts without assertions', async (name) => {
    const { stderr, code } = await krisis(['score', real(name)], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('8 results, 2 runs');
    expect(stderr).toContain('no answer has a truth or a score');
  });
});
