import { normalised } from '../normalised-text.ts';

/** A number with its unit, or why a text is not one. */
export type ReadNumber =
  | { readonly ok: true; readonly number: number; readonly unit: string | null }
  | { readonly ok: false; readonly reason: string };

const ABOUT = /^(?:about|approximately|approx\.?|around|circa|ca\.?|roughly|[~≈=])\s*/;
const NUMBER =
  /^([-+]?)(\d{1,3}(?:[ ,']\d{3})+(?![\d,])(?:\.\d+)?|\d*[.·]\d+|\d+,\d{1,2}(?!\d)|\d+,\d{4,}|\d+)/;
/**
 * One character that is a fraction, and the whole number before it: ½, 2½. Written with a slash it
 * may also be two numbers.
 */
const FRACTION = /(?:(\d+) ?)?([¼-¾⅐-⅞])/gu;

/**
 * Reads one number with its unit. Thousands may be grouped ("1,000", "2 500"), and a comma that
 * does not group is a decimal comma. A range, a comparison, several numbers or other words are not
 * read: a dose is not guessed.
 *
 * @example
 * ```ts
 * readNumber('about 2.5 mg') // => { ok: true, number: 2.5, unit: 'mg' }
 * readNumber('1,000 mg') // => { ok: true, number: 1000, unit: 'mg' }
 * readNumber('5-10 mg') // => { ok: false, reason: 'several_numbers' }
 * readNumber('< 5 mg') // => { ok: false, reason: 'not_a_number' }
 * ```
 */
export function readNumber(text: string): ReadNumber {
  const folded = normalised(text.replace(FRACTION, asDecimal), 'flat', 'quote')
    .text.trim()
    .replace(/[.,;:!?]+$/, '')
    .replace(ABOUT, '');
  const found = NUMBER.exec(folded);
  if (found === null) return { ok: false, reason: 'not_a_number' };
  const unit = folded.slice(found[0].length).trim();
  if (/^[-–/]?\s*\d|\d\s*[-–]\s*\d|\b(?:to|or|and)\s+\d/.test(unit))
    return { ok: false, reason: 'several_numbers' };
  if (/^[.,]/.test(unit)) return { ok: false, reason: 'not_a_number' };
  const value = digitsValue(found[2]!);
  if (!Number.isFinite(value)) return { ok: false, reason: 'not_a_number' };
  return { ok: true, number: found[1] === '-' ? -value : value, unit: unit === '' ? null : unit };
}

function digitsValue(digits: string): number {
  const grouped = /^\d{1,3}(?:[ ,']\d{3})+(?:\.\d+)?$/.test(digits);
  return Number(grouped ? digits.replace(/[ ,']/g, '') : digits.replace(/[,·]/, '.'));
}

function asDecimal(_: string, whole: string | undefined, fraction: string): string {
  const [over, under] = fraction.normalize('NFKC').split('⁄');
  return String(Number(whole ?? 0) + Number(over) / Number(under));
}
