import { describe, expect, it } from 'vitest';
import { command, emulator, MODELS, query, runJson, toEmulator, workingFolder } from './emulated-run.ts';
import { OWN } from './emulator/tokens.ts';

const RUN = [
  'run',
  'ckd/staging',
  '--n-records',
  '120',
  '--limit',
  '48',
  '--bootstrap',
  '0',
  '--json',
  '--no-cache',
];

interface Row {
  readonly state: string;
  readonly token_confidence: number | null;
}

const rowsOf = (file: string) =>
  query<Row>(file, 'SELECT state, token_confidence FROM rows ORDER BY record_id, repeat');

describe('log-probabilities of tokens', () => {
  it.each(['openai', 'azure', 'xai', 'openrouter', 'ollama', 'openai-compatible'] as const)(
    'become a confidence of every answer, asked alone and in batches: %s',
    async (name) => {
      const server = await emulator();
      for (const size of ['1', '4']) {
        const flags = ['--batch-size', size, '--set', 'logprobs=true', ...toEmulator(name, server)];
        const { file } = await runJson([...RUN, ...flags], workingFolder());
        const rows = rowsOf(file);
        const answered = rows.filter(({ state }) => state === 'answered');
        expect(answered.length).toBeGreaterThan(30);
        for (const { token_confidence: confidence } of answered) {
          expect(confidence).toBeGreaterThan(0.5);
          expect(confidence).toBeLessThanOrEqual(1);
        }
        expect(answered.some(({ token_confidence: confidence }) => confidence! < OWN + 0.02)).toBe(true);
        expect(rows.every(({ state, token_confidence: c }) => state === 'answered' || c === null)).toBe(true);
      }
    },
  );

  it('are not asked for by default', async () => {
    const server = await emulator({ record: true });
    const { file } = await runJson([...RUN, ...toEmulator('openai', server)], workingFolder());
    expect(rowsOf(file).every(({ token_confidence: confidence }) => confidence === null)).toBe(true);
    expect(JSON.stringify(await server.requests())).not.toContain('logprobs');
  });

  it.each(['anthropic', 'google', 'bedrock'] as const)(
    'are refused where the provider gives none: %s',
    async (name) => {
      const { code, stderr } = await command(
        [...RUN, '--set', 'logprobs=true', '--model', MODELS[name].model, '--base-url', 'http://127.0.0.1:9'],
        workingFolder(),
      );
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('log-probabilities of tokens are not available'),
      ]);
    },
  );
});

describe('krisis report --confidence-from', () => {
  it('scores one source at a time, names it, and compares the sources on the same rows', async () => {
    const server = await emulator();
    const cwd = workingFolder();
    const flags = [
      '--batch-size',
      '4',
      '--set',
      'logprobs=true',
      '--repeat',
      '2',
      ...toEmulator('openai', server),
    ];
    const { file } = await runJson([...RUN, ...flags], cwd);
    const report = async (...more: string[]) =>
      JSON.parse((await command(['report', file, '--json', '--no-include-results', ...more], cwd)).stdout);
    const stated = await report();
    const tokens = await report('--confidence-from', 'logprobs');
    const repeats = await report('--confidence-from', 'repeats');
    expect(stated).not.toHaveProperty('confidence_source');
    expect([tokens.confidence_source, repeats.confidence_source]).toEqual(['logprobs', 'repeats']);
    expect(tokens.metrics.accuracy.value).toBe(stated.metrics.accuracy.value);
    expect(tokens.metrics.brier_top_label.value).not.toBe(stated.metrics.brier_top_label.value);
    // The emulator says the same each time: every vote is for the answer, and a record is one row.
    expect([repeats.ledger.n, stated.ledger.n]).toEqual([48, 96]);
    expect(repeats.warnings.map(({ code }: { code: string }) => code)).toContain('confidence_from_repeats');
    const { sources, differences, n } = stated.confidence_sources;
    expect(sources.map(({ source }: { source: string }) => source)).toEqual([
      'stated',
      'repeats',
      'logprobs',
    ]);
    expect(sources[1].calls_per_record).toBeCloseTo(2 * sources[0].calls_per_record, 9);
    expect(differences).toHaveLength(2);
    expect(n).toBeGreaterThan(30);
    const { stdout } = await command(['report', file], cwd);
    expect(stdout).toContain('token log-probabilities minus stated');
    expect(stdout).toContain('AUGRC (lower is better)');
    // Four records to a call are drawn together.
    expect(stdout).toContain('Intervals: bootstrap over clusters of cases');
    const threshold = await command(['threshold', file, '--confidence-from', 'logprobs', '--json'], cwd);
    expect(threshold.code).toBe(0);
  });

  it('refuses a source that the run does not have', async () => {
    const server = await emulator();
    const cwd = workingFolder();
    const { file } = await runJson([...RUN, ...toEmulator('openai', server)], cwd);
    for (const source of ['repeats', 'logprobs']) {
      const { code, stderr } = await command(['report', file, '--confidence-from', source], cwd);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`confidence from ${source}:`)]);
    }
    const flags = ['--repeat', '2', '--temperature', '0', ...toEmulator('openai', server)];
    const cold = await runJson([...RUN, ...flags], cwd);
    const { stderr } = await command(['report', cold.file, '--confidence-from', 'repeats'], cwd);
    expect(stderr).toContain('temperature 0');
  });
});
