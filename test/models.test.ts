import { describe, expect, it } from 'vitest';
import { describeProvider, listProviders } from '../src/models/api/provider-info.ts';
import { krisis } from './krisis.ts';

const SECRET = 'sk-very-secret';
const env = { PATH: process.env.PATH, OPENAI_API_KEY: SECRET, AZURE_API_KEY: SECRET };

describe('krisis check', () => {
  it('lists what needs no key, providers with their hosts, and prices, within 80 columns', async () => {
    const { code, stdout, stderr } = await krisis(['check'], { env });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/simulated\/ +careful/);
    expect(stdout).toMatch(/openai\/ +set +api\.openai\.com\n/);
    expect(stdout).toMatch(/anthropic\/ +missing +api\.anthropic\.com\n/);
    expect(stdout).toMatch(/azure\/ +set +address not set\n/);
    expect(stdout).toMatch(/ollama\/ +not needed +127\.0\.0\.1:11434\n/);
    expect(stdout).toMatch(/openai\/gpt-5-mini +\d+\.\d\d +\d+\.\d\d\n/);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('never shows a key, in text or JSON', async () => {
    for (const args of [['check'], ['check', '--json'], ['check', 'openai'], ['check', 'azure', '--json']])
      expect((await krisis(args, { env })).stdout).not.toContain(SECRET);
  });

  it('lists the models of one provider, and what to set', async () => {
    const { stdout } = await krisis(['check', 'anthropic'], { env });
    expect(stdout).toContain('key: missing\n  needs a key: set ANTHROPIC_API_KEY');
    expect(stdout).toMatch(/anthropic\/claude-sonnet-4-5 +3\.00 +15\.00/);
    const grok = JSON.parse((await krisis(['check', 'grok', '--json'], { env })).stdout);
    expect(grok).toMatchObject({ name: 'xai', key: 'missing', host: 'api.x.ai' });
    expect(grok.models.length).toBeGreaterThan(3);
  });

  it('suggests a provider', async () => {
    const { code, stderr } = await krisis(['check', 'opnai'], { env });
    expect([code, stderr]).toEqual([2, 'krisis: no provider "opnai"; did you mean openai?\n']);
  });
});

it('every example of a provider with a price table has a price', async () => {
  for (const { name, examples } of await listProviders({})) {
    const { models } = await describeProvider(name, {});
    if (models.length === 0) continue;
    for (const { id, input, output } of examples)
      expect([id, input, output]).toEqual([id, expect.any(Number), expect.any(Number)]);
  }
});
