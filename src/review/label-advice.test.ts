import { describe, expect, it } from 'vitest';
import type { FrameUnit } from './frame.ts';
import { correctionLack, labelAdvice } from './label-advice.ts';

function units(traitName: string, nQuestions: number, perQuestion: number): FrameUnit[] {
  return Array.from({ length: nQuestions * perQuestion }, (_, i) => ({
    kind: 'item',
    recordId: `q${i % nQuestions}`,
    repeat: 0,
    itemId: `${traitName}-${i}`,
    answerHash: '',
    itemHash: '',
    recordHash: '',
    verdict: 'present',
    differs: null,
    isCritical: false,
    isForbidden: false,
    outcome: 'answered',
    line: { traitName, instruction: 'x' },
  }));
}

const items = (nDouble: number) => ({ targets: 'item', nDouble }) as const;

describe('correctionLack', () => {
  const safety = units('safety', 20, 4);
  const coverage = units('coverage', 5, 4);
  const frame = { units: [...safety, ...coverage] };

  it('names traits with too few labels or questions, and whether more labels would help', () => {
    expect(correctionLack(frame, items(30), frame.units)).toMatchObject({
      traits: [{ trait: 'coverage', nItems: 20, nQuestions: 5 }],
      hasEnough: true,
      moreWouldHelp: false,
      nDouble: null,
    });
    expect(correctionLack(frame, items(10), safety.slice(0, 40))).toMatchObject({
      traits: [
        { trait: 'safety', nItems: 40, nQuestions: 20 },
        { trait: 'coverage', nItems: 0 },
      ],
      hasEnough: false,
      moreWouldHelp: true,
      nDouble: 10,
      needed: { nItems: 50, nQuestions: 15, nDouble: 30 },
    });
  });

  it('is about items alone', () => {
    expect(correctionLack(frame, { targets: 'record', nDouble: 0 }, [])).toBeNull();
  });
});

describe('labelAdvice', () => {
  it('advises no number for corrected scores where no trait has enough items', () => {
    expect(labelAdvice({ units: units('safety', 20, 4) }).corrected).toBe(80);
    expect(labelAdvice({ units: units('safety', 9, 9) }).corrected).toBeNull();
  });
});
