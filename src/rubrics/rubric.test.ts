import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { KrisisError } from '../core/errors.ts';
import { Rubric } from './rubric.ts';
import { callableTrait } from './traits/callable-trait.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-rubric-'));
afterAll(() => rmSync(folder, { recursive: true }));

const metric = (name: string) => ({ name, metrics: ['recall'], tp_instructions: ['x'] });
const full = { ...metric('full'), evaluation_mode: 'full_matrix', tn_instructions: ['y'] };
const llm = (name: string) => ({ name, kind: 'boolean' });

describe('Rubric', () => {
  it('holds traits of every kind', () => {
    const rubric = Rubric.parse({
      metric_traits: [metric('a'), metric('b')],
      llm_traits: [llm('c')],
      regex_traits: [{ name: 'd', pattern: 'x' }],
      callable_traits: [{ name: 'e' }],
    });
    expect(rubric.getMetricTraitNames()).toEqual(['a', 'b']);
    expect(rubric.traitNames()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(Object.keys(rubric.toJSON())).toEqual([
      'metric_traits',
      'llm_traits',
      'regex_traits',
      'callable_traits',
    ]);
    expect(JSON.parse(JSON.stringify(rubric)).metric_traits[0].evaluation_mode).toBe('tp_only');
  });

  it('needs the buckets that any of its traits needs', () => {
    expect([...Rubric.parse({ metric_traits: [metric('a'), full] }).getRequiredBuckets()]).toEqual([
      'tp',
      'fn',
      'fp',
      'tn',
    ]);
    expect([...new Rubric().getRequiredBuckets()]).toEqual([]);
  });

  it('has a hash that says what is judged, not how it was written', () => {
    const short = Rubric.parse({ metric_traits: [metric('a')] });
    const long = Rubric.fromYaml(
      'metric_traits: [{name: " a", tp_instructions: [x], evaluation_mode: tp_only, metrics: [recall]}]\nllm_traits: []',
    );
    expect(long.hash).toBe(short.hash);
    expect(short.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(Rubric.parse({ metric_traits: [metric('b')] }).hash).not.toBe(short.hash);
  });

  it.each<[string, unknown, string]>([
    [
      'two metric traits of one name',
      { metric_traits: [metric('a'), metric('a')] },
      'metric_traits[1] "a" has the name of metric_traits[0] "a"',
    ],
    [
      'names that differ in case',
      { metric_traits: [metric('Coverage'), metric('coverage')] },
      'whatever their case: rename one',
    ],
    [
      'one name in two kinds',
      { metric_traits: [metric('a')], llm_traits: [llm('A')] },
      'llm_traits[0] "A" has the name of metric_traits[0] "a"',
    ],
    [
      'an unknown key',
      { metric_trait: [] },
      'rubric: unknown key "metric_trait"; did you mean metric_traits?',
    ],
    ['a kind that is no list', { llm_traits: null }, 'llm_traits is null; expected a list of traits'],
    ['something else', 'text', 'rubric: it is "text"; expected an object with metric_traits'],
    [
      'a trait that is wrong',
      { metric_traits: [metric('ok'), metric('a.b')] },
      'rubric: metric_traits[1] "a.b": name "a.b" has a dot',
    ],
  ])('refuses %s', (_, object, message) => {
    expect(() => Rubric.parse(object)).toThrow(KrisisError);
    expect(() => Rubric.parse(object)).toThrow(message);
  });

  it('says what is wrong with all traits at once', () => {
    const wrong = { metric_traits: [{ name: 'm' }, metric('ok')], llm_traits: [{ name: 'l', kind: 'x' }] };
    expect(() => Rubric.parse(wrong, 'file.yaml')).toThrow(
      /^file\.yaml:\n {2}metric_traits\[0\] "m":\n {4}metrics .*\n {4}tp_instructions .*\n {2}llm_traits\[0\] "l": kind is "x"/,
    );
  });
});

describe('from text', () => {
  it('reads YAML and JSON files', async () => {
    const path = join(folder, 'r.json');
    writeFileSync(path, JSON.stringify({ metric_traits: [metric('a')] }));
    expect((await Rubric.fromFile(path)).getMetricTraitNames()).toEqual(['a']);
    await expect(Rubric.fromFile(join(folder, 'none.yaml'))).rejects.toThrow(
      'no such file; expected the YAML file of a rubric',
    );
    await expect(Rubric.fromFile(folder)).rejects.toThrow('it is a folder');
  });

  it('says what is not YAML, and where', () => {
    expect(() => Rubric.fromYaml('a: [', 'r.yaml')).toThrow(/^r\.yaml: not YAML: /);
    expect(() => Rubric.fromYaml('a: 1\na: 2', 'r.yaml')).toThrow('not YAML: Map keys must be unique');
    expect(() => Rubric.fromYaml('', 'r.yaml')).toThrow('r.yaml: it is null; expected an object');
  });

  it('gives callable traits their functions', () => {
    const rubric = Rubric.fromYaml('callable_traits: [{ name: short }]', 'r', { short: () => true });
    expect(rubric.callableTraits[0]!.evaluate!('', '')).toBe(true);
  });
});

describe('merge', () => {
  const global = Rubric.parse({ metric_traits: [metric('a')], llm_traits: [llm('tone')] });

  it('keeps where each trait came from', () => {
    const merged = Rubric.merge(global, Rubric.parse({ metric_traits: [metric('b')] }));
    expect(merged.getMetricTraitNames()).toEqual(['a', 'b']);
    expect([...merged.provenance]).toEqual([
      ['a', 'global'],
      ['tone', 'global'],
      ['b', 'question'],
    ]);
    expect(global.provenance.size).toBe(0);
  });

  it('refuses a name that both have, in any case and of any kind', () => {
    const own = new Rubric({ callableTraits: [callableTrait({ name: 'Tone', evaluate: () => true })] });
    expect(() => Rubric.merge(global, own)).toThrow(
      'trait "Tone" of the question has the name of "tone" in the global rubric; rename one',
    );
  });
});

it('has codes for rubrics that are not valid and files that cannot be read', async () => {
  expect(() => Rubric.parse({ regex_traits: 3 })).toThrow(
    expect.objectContaining({ code: 'ERR_RUBRIC_INVALID' }),
  );
  await expect(Rubric.fromFile(folder)).rejects.toMatchObject({ code: 'ERR_FILE_UNREADABLE' });
});
