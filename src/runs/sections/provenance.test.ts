import { describe, expect, it } from 'vitest';
import { reportOf } from '../../../test/run-report-fixture.ts';
import { htmlOf } from '../../../test/section-fixture.ts';
import { provenance } from './provenance.ts';

const textOf = (change: Parameters<typeof reportOf>[0] = {}) => htmlOf(provenance(reportOf(change)).blocks);

describe('provenance', () => {
  it('has the hashes, the seed, the parameters and where questions went', () => {
    const text = textOf();
    expect(text).toContain('ab'.repeat(32));
    expect(text).toContain('temperature: 0');
    expect(text).toContain('host: api.example.org');
    expect(text).toMatch(/prompt templates \(SHA-256\)<\/th><td class="text"><code>[0-9a-f]{64}<\/code>/);
    expect(text).toContain('decision_accuracy, arm natural: it counts both');
    expect(text).toContain('two readers');
  });

  it('says when the run is of another arm than the primary endpoint', () => {
    expect(textOf({ arm: 'told' })).toContain('arm natural (this run is of arm told)');
  });

  it('says what is not known', () => {
    const text = textOf({ suiteHash: null, seed: null, suite: {}, primaryEndpoint: null, parameters: {} });
    for (const words of [
      'not known',
      'not stated',
      'nothing about its suite',
      'none was named',
      'none were set',
    ])
      expect(text).toContain(words);
  });

  it('names the file of an imported run', () => {
    const imported = { format: 'python', source: 'result.json', sha256: 'cd'.repeat(32), hasRows: false };
    const text = textOf({ imported, figures: null });
    expect(text).toContain('result.json (python), without rows');
    expect(text).toContain('cd'.repeat(32));
    expect(text).toContain('Values as published');
  });
});
