import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { startEmulator } from './emulator/server.ts';
import { krisis } from './krisis.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-examples-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
});
// Without the runs that someone made there by trying the examples.
cpSync('examples', folder, { recursive: true, filter: (path) => !path.includes('.krisis') });

describe('the examples', () => {
  it('own-suite: a suite and a backend from a config', async () => {
    const cwd = join(folder, 'own-suite');
    expect((await krisis(['check'], { cwd })).stdout).toContain('potassium/urgency');
    expect((await krisis(['check', 'potassium/urgency'], { cwd })).stdout).toContain('haemolysed_sample');
    const { code, stdout } = await krisis(
      ['run', 'potassium/urgency', '--model', 'rule/threshold', '--json', '--bootstrap', '100'],
      { cwd },
    );
    expect(code).toBe(0);
    const { ledger, metrics } = JSON.parse(stdout);
    // 5 of 40 samples are haemolysed, and the rule never defers.
    expect([ledger.n, metrics.deferral_recall.value, metrics.deferral_recall.n_evaluated]).toEqual([
      40, 0, 5,
    ]);
    expect(metrics.sensitivity.value).toBe(1);
  });

  it('table-suite: a CSV through YAML', async () => {
    const cwd = join(folder, 'table-suite');
    expect(await krisis(['check', 'suite.yaml'], { cwd })).toMatchObject({ code: 0 });
    const { code, stdout } = await krisis(
      ['run', 'suite.yaml', '--model', 'simulated/careful', '--json', '--bootstrap', '0'],
      { cwd },
    );
    expect([code, JSON.parse(stdout).ledger.n > 20]).toEqual([0, true]);
  });

  it('ollama: the commands of its README, with a model that repeats what it is shown', async () => {
    const cwd = join(folder, 'ollama');
    const emulator = await startEmulator({ echo: true, record: true });
    vi.stubEnv('OLLAMA_BASE_URL', emulator.url);
    const readme = readFileSync(join(cwd, 'README.md'), 'utf8');
    const printed = [];
    for (const [, args] of readme.matchAll(/^npx krisis (.*)$/gm)) {
      const { code, stdout, stderr } = await krisis([...args!.split(' '), '--json'], { cwd });
      expect([args, code, stderr]).toEqual([args, 0, expect.not.stringContaining('krisis: ')]);
      printed.push(JSON.parse(stdout));
    }
    const [cohort, ward, list] = printed;
    const bodies = emulator.requests.map(({ body }) => JSON.parse(body!));
    await emulator.close();

    expect([cohort.ledger.n, ward.ledger.n, list.runs.length]).toEqual([40, 40, 2]);
    expect(ward.execution).toMatchObject({ batch_size: 1, n_repaired: 40, prompt_modes: ['single'] });
    expect(bodies).toHaveLength(80);
    for (const { model, temperature } of bodies) expect([model, temperature]).toEqual(['llama3.2', 0]);

    // All that was asked of the ward was repeated by the model: none of it may have come to rest here.
    const table = readFileSync(join(folder, 'table-suite/sodium.csv'), 'utf8').trim().split('\n').slice(1);
    const symptoms = new Set(table.map((line) => line.split(',')[6]!));
    // Words that scores and manifests have, too.
    for (const common of ['none', 'confusion']) symptoms.delete(common);
    const asked = bodies.map(({ messages }) => messages[1].content).join('\n');
    const kept = globSync('.krisis/**', { cwd, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
    expect(symptoms.size).toBeGreaterThan(3);
    for (const symptom of symptoms) {
      expect(asked).toContain(`Symptoms: ${symptom}`);
      expect([symptom, kept.some((text) => text.includes(symptom))]).toEqual([symptom, false]);
    }
    expect(kept.some((text) => text.includes('Symptoms: '))).toBe(false);
  });

  it('ollama: its protected table is not sent elsewhere', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-not-a-key');
    const { code, stderr } = await krisis(['run', 'ward.yaml', '--model', 'openai/gpt-4.1-mini'], {
      cwd: join(folder, 'ollama'),
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--allow-egress openai')]);
  });

  it('answers.jsonl: rows to score', async () => {
    expect((await krisis(['score', join(folder, 'answers.jsonl')])).stdout).toContain('120 cases');
  });
});
