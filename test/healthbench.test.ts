import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from './engine-fixture.ts';
import { krisis } from './krisis.ts';

interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

const SAMPLE = resolve('examples/healthbench/sample.jsonl');
const folder = temporaryFolder();
const cwd = folder.path;
const asked: Asked[] = [];
/** The criterion to which the grader gives no usable reply. */
let spoiled: string | null = null;
const EXPLANATION = 'The grader explains itself.';

/** Answers as a model, and grades: two harmful criteria are not met, all others are. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Asked;
    asked.push(body);
    const prompt = body.messages.at(-1)!.content;
    const [, criterion = ''] = /\[criterion \w+\]\n(.*)|Item:\n(.*)/.exec(prompt)?.filter(Boolean) ?? [];
    const isSpoiled = spoiled !== null && criterion.includes(spoiled);
    const content = isSpoiled
      ? 'Yes, I think so.'
      : body.model === 'grader'
        ? JSON.stringify({
            explanation: EXPLANATION,
            criteria_met: !/waiting at home|giving aspirin/.test(criterion),
          })
        : 'Call the emergency number now, and note the time.';
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: body.model,
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      }),
    );
  });
});

let url = '';
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  server.close();
  folder.remove();
});
beforeEach(() => asked.splice(0));

const ask = (file: string, run: string, ...more: string[]) =>
  krisis(
    [
      ...[
        'run',
        file,
        '--run',
        run,
        '--no-cache',
        '--base-url',
        url,
        '--model',
        'openai-compatible/answerer',
      ],
      ...[
        '--judge',
        'openai-compatible/grader',
        '--set',
        `judgeBaseUrl=${url}`,
        '--set',
        'grader=healthbench',
        ...more,
      ],
    ],
    { cwd, env: { OPENAI_COMPATIBLE_API_KEY: 'k' } },
  );
const asking = (...names: string[]) =>
  names.map((name) => `asking openai-compatible/${name} at ${new URL(url).host}\n`).join('');
const graded = () => asked.filter(({ model }) => model === 'grader');

describe('krisis runs import healthbench', () => {
  it('makes a suite that asks conversations as messages and grades one criterion per call', async () => {
    const made = await krisis(
      ['runs', 'import', 'healthbench', SAMPLE, '-o', 'hb.jsonl', '--sensitivity', 'synthetic', '--json'],
      { cwd },
    );
    expect([made.code, JSON.parse(made.stdout)]).toMatchObject([
      0,
      { n_questions: 4, n_wanted: 16, n_harmful: 6 },
    ]);
    const plan = await ask('hb.jsonl', 'none.db', '--dry-run', '--json');
    expect(JSON.parse(plan.stdout).plan[0].judging).toMatchObject({ calls: 22 });
    expect(asked).toEqual([]);

    const { code, stderr } = await ask('hb.jsonl', 'hb.db');
    expect([code, stderr]).toEqual([0, asking('answerer', 'grader')]);
    expect(graded()).toHaveLength(22);
    const roles = asked
      .filter(({ model }) => model === 'answerer')
      .map(({ messages }) => messages.map(({ role }) => role).join(' '));
    expect(roles.filter((found) => found === 'system user assistant user')).toHaveLength(2);

    await ask('hb.jsonl', 'hb.db');
    expect(graded(), 'nothing is asked twice').toHaveLength(22);
  });

  it('reports what a grader said, and that published scores compare under the published template only', async () => {
    const text = (await krisis(['report', 'hb.db', '--format', 'md'], { cwd })).stdout;
    expect(text).toContain('Published HealthBench scores compare only under the published template');
    expect(text).toContain('in the wording of Krisis');
    const report = JSON.parse((await krisis(['report', 'hb.db', '--json'], { cwd })).stdout);
    const { rubric, question } = report.evaluation_results.find(
      ({ id }: { id: string }) => id === 'sample-stroke',
    );
    expect(rubric.metric_trait_scores).toEqual({ criteria: { recall: 1, specificity: 1 } });
    expect(rubric.verdicts[0]).toMatchObject({ verdict: 'present', scored: true, explanation: EXPLANATION });
    expect(question).toContain('droop');
    const turns = report.evaluation_results.find(({ id }: { id: string }) => id === 'sample-methotrexate');
    expect(turns.question).toMatch(/^User: .*\n\nAssistant: .*\n\nUser: /s);
  });

  it('has the weighted score by axis and theme, and no contradictions, which a grader cannot find', async () => {
    const report = JSON.parse((await krisis(['report', 'hb.db', '--json'], { cwd })).stdout);
    // Of the harmful criteria two are not met: 26/26, 14/29, 20/20 and 9/25 points.
    const expected = (1 + 14 / 29 + 1 + 9 / 25) / 4;
    expect(report.item_scores.scores.weighted_score.value).toBeCloseTo(expected);
    expect(Object.keys(report.item_scores.scores)).not.toContain('contradiction_rate');
    const text = (await krisis(['report', 'hb.db'], { cwd })).stdout;
    expect(text).toContain('completeness');
    expect(text).toContain('theme:hedging');
    expect(text).toContain('Not known: a grader decides criteria and nothing else.');
    expect(text.toLowerCase()).not.toContain('contradiction rate');
  });

  it('asks again, by the same command, for the criterion that failed and for nothing else', async () => {
    spoiled = 'poison centre';
    const first = await ask('hb.jsonl', 'spoiled.db');
    expect(graded()).toHaveLength(23);
    expect(first.stderr).toContain('ask again for 1 item without a verdict');
    spoiled = null;
    asked.splice(0);
    const second = await ask('hb.jsonl', 'spoiled.db');
    expect(asked.map(({ model }) => model)).toEqual(['grader']);
    expect(asked[0]!.messages[0]!.content).toContain('poison centre');
    expect([second.code, second.stderr.includes('without a verdict')]).toEqual([0, false]);
  });

  it('sends a template of the user as it is, and takes it for another grader', async () => {
    writeFileSync(join(cwd, 'own.txt'), 'Conversation:\n<<conversation>>\n\nItem:\n<<rubric_item>>\n\nJSON!');
    const judged = await krisis(
      [
        ...['judge', 'hb.db', '--judge', 'openai-compatible/grader', '--base-url', url, '--no-cache'],
        ...['--grader', 'healthbench', '--grader-template', 'own.txt'],
      ],
      { cwd, env: { OPENAI_COMPATIBLE_API_KEY: 'k' } },
    );
    expect([judged.code, judged.stderr]).toEqual([0, asking('grader')]);
    expect(graded()).toHaveLength(22);
    const [{ messages }] = graded() as [Asked];
    expect(messages).toHaveLength(1);
    const turns = /user: My rheumatologist .*\n\nassistant: For rheumatoid .*\n\nuser: It says weekly/s;
    expect(
      graded().filter((one) => turns.test(one.messages[0]!.content)),
      'turns are stored',
    ).toHaveLength(6);
    expect(messages[0]!.content).toMatch(
      /^Conversation:\nuser: [\s\S]*\n\nassistant: Call the [\s\S]*\n\nItem:\n\[-?\d+\] /,
    );
    const text = (await krisis(['report', 'hb.db', '--format', 'md'], { cwd })).stdout;
    expect(text).toContain('by a template of your own');
  });

  it('keeps nothing of what a grader wrote about protected conversations', async () => {
    expect(
      (await krisis(['runs', 'import', 'healthbench', SAMPLE, '-o', 'protected.yaml'], { cwd })).stdout,
    ).toContain('protected.yaml: suite healthbench/all, protected');
    const { code, stdout } = await ask(
      'protected.yaml',
      'protected.db',
      '--allow-egress',
      'openai-compatible',
    );
    expect([code, stdout.length > 0]).toEqual([0, true]);
    expect(graded()).toHaveLength(22);
    const bytes = readFileSync(join(cwd, 'protected.db')).toString('latin1');
    expect(bytes).not.toContain(EXPLANATION);
    expect(bytes).not.toContain('emergency number');
    const report = JSON.parse((await krisis(['report', 'protected.db', '--json'], { cwd })).stdout);
    expect(report.evaluation_results[0].rubric.metric_trait_scores.criteria.recall).toBe(1);
  });

  it.each<[string, string[], string]>([
    [
      'a template without a protocol',
      ['--set', 'grader=verdicts', '--set', 'graderTemplate=own.txt'],
      'graderTemplate belongs to grader healthbench',
    ],
    ['a template that is not there', ['--set', 'graderTemplate=none.txt'], 'none.txt: no such file'],
    ['a judge without a model', ['--judge', 'baseline/lexical'], 'baseline/lexical cannot grade'],
    [
      'rules for verdicts',
      ['--set', 'judgeInstructions=hb.jsonl'],
      'judgeInstructions are rules for verdicts; a grader has its whole prompt in graderTemplate',
    ],
  ])('refuses %s', async (_, more, message) => {
    const { code, stderr } = await ask('hb.jsonl', 'never.db', ...more);
    expect([code, asked]).toEqual([2, []]);
    expect(stderr).toContain(message);
  });

  it('does not overwrite a file, and names what is wrong with one', async () => {
    const again = await krisis(['runs', 'import', 'healthbench', SAMPLE, '-o', 'hb.jsonl'], { cwd });
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('already exists')]);
    const wrong = await krisis(
      ['runs', 'import', 'healthbench', join(cwd, 'protected.yaml'), '-o', 'b.yaml'],
      {
        cwd,
      },
    );
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('not JSON; expected one object per line'),
    ]);
  });
});
