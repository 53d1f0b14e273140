import { describe, expect, it } from 'vitest';
import { featureText } from './feature-text.ts';

describe('featureText', () => {
  it('is one line a feature, in their order', () => {
    expect(featureText({ 'Age (years)': 61, Sex: 'female', smokes: false, albumin: 0 })).toBe(
      'Age (years): 61\nSex: female\nsmokes: false\nalbumin: 0',
    );
  });

  it('says "not measured" for null, also inside visits and lists', () => {
    expect(featureText({ potassium: null, pressures: [120, null] })).toBe(
      'potassium: not measured\npressures: 120, not measured',
    );
    expect(featureText({ Visits: [{ date: '2024-01-01', creatinine: null }] })).toBe(
      'Visits:\n  - date: 2024-01-01, creatinine: not measured',
    );
  });

  it('gives every visit its line, and a list in a visit no line of its own', () => {
    expect(
      featureText({
        Visits: [
          { a: 1, drugs: ['x', 'y'] },
          { a: 2, drugs: [] },
        ],
      }),
    ).toBe('Visits:\n  - a: 1, drugs: x, y\n  - a: 2, drugs: ');
  });

  it('puts an object on its own in one line', () => {
    expect(featureText({ pressure: { systolic: 120, diastolic: 80 } })).toBe(
      'pressure: systolic: 120, diastolic: 80',
    );
  });

  it('has nothing to show of nothing', () => {
    expect(featureText({})).toBe('');
  });
});
