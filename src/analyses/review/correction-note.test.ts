import { expect, it } from 'vitest';
import { correctionNote } from './correction-note.ts';

it('says what must be read beside a corrected score', () => {
  const plain = { isCorrected: true, note: null, method: 'corrected_mean' };
  expect(correctionNote(plain)).toBeNull();
  expect(correctionNote({ ...plain, note: 'no_disagreement_in_labels' })).toContain('no disagreement');
  expect(correctionNote({ ...plain, note: 'clipped', method: 'rogan_gladen_transported' })).toBe(
    'clipped at 0 or 1: the error rates do not fit this run; transported: labels of another run',
  );
  expect(correctionNote({ ...plain, isCorrected: false, method: 'stratified_estimate' })).toBeNull();
});
