import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { calibrationFloor } from './calibration-floor.ts';

const { document } = parseHTML('<!doctype html><html></html>');

describe('calibrationFloor', () => {
  it('says what chance alone gives', () => {
    const svg = calibrationFloor({ error: 0.06, chanceMean: 0.03, chanceUpTo: 0.05 }, document);
    expect(svg).toContain(
      '<desc>The calibration error is 0.060. A perfectly calibrated model with the same confidences would show 0.030 on average by chance, and up to 0.050 in 95 of 100 cases.</desc>',
    );
    expect(svg).toContain('chance alone');
  });

  it('is drawn with no error at all', () => {
    const svg = calibrationFloor({ error: 0, chanceMean: 0, chanceUpTo: 0 }, document);
    expect(svg).toContain('is 0.000.');
    expect(svg).not.toContain('NaN');
  });
});
