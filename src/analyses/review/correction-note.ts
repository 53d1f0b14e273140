import { joined } from '../../reports/words.ts';

interface Corrected {
  readonly isCorrected: boolean;
  readonly note: string | null;
  readonly method: string;
}

/** What must be read beside a corrected score; null where nothing must. */
export function correctionNote({ isCorrected, note, method }: Corrected): string | null {
  return joined([
    note === 'no_disagreement_in_labels' &&
      'no disagreement in these labels, which does not show that there is none',
    note === 'clipped' && 'clipped at 0 or 1: the error rates do not fit this run',
    isCorrected && method === 'stratified_estimate' && 'by verdict, as drawn',
    isCorrected && method === 'rogan_gladen_transported' && 'transported: labels of another run',
  ]);
}
