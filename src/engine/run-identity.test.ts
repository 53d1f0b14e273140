import { afterAll, describe, expect, it } from 'vitest';
import { allYes, scriptedBackend, task, temporaryFolder } from '../../test/engine-fixture.ts';
import { checkSameRun, type RunIdentity, runIdentity, runPath } from './run-identity.ts';

const run = {
  suiteHash: 'abc',
  task,
  backend: scriptedBackend(allYes, { parameters: { temperature: 0, effort: 'low' } }),
  batchSize: 8,
  repeats: 1,
};
const identity = runIdentity(run);
const instructions = (text: string) => ({ ...task, arms: { natural: { instructions: text } } });

describe('runIdentity', () => {
  it('is what a run is made of', () => {
    expect(identity).toEqual({
      suiteHash: 'abc',
      task: 'demo/yes-no',
      arm: 'natural',
      model: 'scripted',
      promptHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      parameters: { temperature: 0, effort: 'low' },
      batchSize: 8,
      repeats: 1,
      order: 'keyed_hash',
    });
  });

  it.each<[string, Partial<Parameters<typeof runIdentity>[0]>, string[]]>([
    ['another suite', { suiteHash: 'abd' }, ['suiteHash']],
    ['another arm', { task: { ...task, defaultArm: 'hinted' } }, ['arm', 'promptHash']],
    ['other instructions', { task: instructions('Well?') }, ['promptHash']],
    ['other labels', { task: { ...task, labels: ['yes', 'no', 'unclear'] } }, ['promptHash']],
    ['another model', { backend: scriptedBackend(allYes, { ...run.backend, name: 'other' }) }, ['model']],
    ['other sampling', { backend: { ...run.backend, parameters: { temperature: 1 } } }, ['parameters']],
    ['another batch size', { batchSize: 4 }, ['batchSize']],
    ['more repeats', { repeats: 3 }, ['repeats']],
    ['cases that stay together', { cluster: 'patient' }, ['order']],
    ['a stratified sample', { stratify: 'sex' }, ['order']],
  ])('differs for %s', (_, change, differing) => {
    const other = runIdentity({ ...run, ...change });
    const keys = Object.keys(identity) as (keyof RunIdentity)[];
    expect(keys.filter((key) => JSON.stringify(other[key]) !== JSON.stringify(identity[key]))).toEqual(
      differing,
    );
  });
});

describe('the limit of output tokens', () => {
  const folder = temporaryFolder();
  afterAll(folder.remove);
  const backendWith = (tokens: number) => ({
    ...run.backend,
    parameters: { temperature: 0, max_output_tokens: tokens },
    settings: { maxOutputTokens: tokens },
  });
  const limited = (tokens: number) => runIdentity({ ...run, backend: backendWith(tokens) });

  it('is no part of a run, nor of the name of its file', () => {
    expect(limited(4096)).toEqual(limited(2048));
    expect(() => checkSameRun('x.db', limited(512), limited(2048))).not.toThrow();
    expect(runPath(limited(512), '/runs')).toBe(runPath(limited(2048), '/runs'));
  });

  it('is part of a run where the backend does not record it with its calls', () => {
    const { settings: _, ...silent } = backendWith(512);
    const own = runIdentity({ ...run, backend: silent });
    expect(own.parameters).toEqual({ temperature: 0, max_output_tokens: 512 });
    const other = { ...own, parameters: { temperature: 0, max_output_tokens: 1024 } };
    expect(() => checkSameRun('x.db', other, own)).toThrow(/max_output_tokens/);
  });
});

describe('the identity of open questions', () => {
  const open = (prompt_frame: string, reasoning: boolean) => {
    const text = {
      kind: 'text',
      labels: [],
      id: 'open/x',
      arms: { open: { instructions: 'Answer.' } },
    } as const;
    const backend = { ...run.backend, parameters: { temperature: 0, prompt_frame, reasoning } };
    return runIdentity({ ...run, backend, task: { ...text, defaultArm: 'open', primaryEndpoint: null } });
  };

  it('does not depend on how records are asked for labels', () => {
    expect(open('a', true)).toEqual(open('b', false));
    const warmer = { ...open('a', true), parameters: { temperature: 1 } };
    expect(() => checkSameRun('x.db', warmer, open('b', true))).toThrow(/temperature/);
  });
});

describe('runPath', () => {
  it('says what it is, and keeps others apart', () => {
    const path = runPath({ ...identity, model: 'openai/gpt 5:mini?x=1' }, '/runs');
    expect(path).toMatch(/^\/runs\/demo-yes-no_openai-gpt-5-mini-x-1_[0-9a-f]{8}\.db$/);
    expect(runPath(identity, '/runs')).toBe(runPath({ ...identity }, '/runs'));
    expect(runPath({ ...identity, batchSize: 4 }, '/runs')).not.toBe(runPath(identity, '/runs'));
  });

  it('stays in its folder, and short, whatever the model is called', () => {
    const path = runPath({ ...identity, model: `replay/../../etc/${'x'.repeat(500)}` }, '/runs');
    expect(path.startsWith('/runs/')).toBe(true);
    expect(path.slice('/runs/'.length)).not.toContain('/');
    expect(path.length).toBeLessThan(160);
  });
});

describe('checkSameRun', () => {
  it('lets the same run go on, in whatever order its keys were stored', () => {
    const stored = Object.fromEntries(Object.entries(identity).reverse());
    const parameters = { effort: 'low', temperature: 0 };
    expect(() => checkSameRun('x.db', { ...stored, parameters }, identity)).not.toThrow();
  });

  it('refuses another one and shows every difference', () => {
    const wanted = { ...identity, batchSize: 4, parameters: { temperature: 1 } };
    expect(() => checkSameRun('x.db', identity, wanted)).toThrow(
      expect.objectContaining({ code: 'ERR_RUN_DIFFERS' }),
    );
    expect(() => checkSameRun('x.db', identity, wanted)).toThrow(
      [
        'x.db: holds another run:',
        '  parameters: {"effort":"low","temperature":0} there, {"temperature":1} now',
        '  batch_size: 8 there, 4 now',
        'Continue with the same settings, or start a new run in another file',
      ].join('\n'),
    );
  });

  it('refuses one that does not say what it is', () => {
    expect(() => checkSameRun('x.db', {}, identity)).toThrow('suite_hash: null there, "abc" now');
  });
});
