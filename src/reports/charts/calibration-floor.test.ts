import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { calibrationFloor } from './calibration-floor.ts';

const { document } = parseHTML('<!doctype html><html></html>');

describe('calibrationFloor', () => {
  it('says what chance alone gives', () => {
    const svg = calibrationFloor(
      { error: 0.06, interval: { lower: 0.04, upper: 0.09 }, chanceMean: 0.03, chanceUpTo: 0.05 },
      document,
    );
    expect(svg).toContain(
      '<desc>The calibration error is 0.060 (0.040 to 0.090). A perfectly calibrated model with the same confidences would show 0.030 on average by chance, and up to 0.050 in 95 of 100 cases.</desc>',
    );
    expect(svg).toContain('chance alone');
  });

  it('stands without an interval, and with no error at all', () => {
    const svg = calibrationFloor({ error: 0, interval: null, chanceMean: 0, chanceUpTo: 0 }, document);
    expect(svg).toContain('is 0.000.');
    expect(svg).not.toContain('NaN');
  });
});
