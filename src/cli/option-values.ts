import { InvalidArgumentError } from '@commander-js/extra-typings';

/** Readers of option values: each says what it expected. */

export function wholeNumber(minimum: number) {
  return (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isInteger(value) || value < minimum) {
      throw new InvalidArgumentError(`Expected a whole number, ${minimum} or more.`);
    }
    return value;
  };
}

export function shareBetween0And1(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && value < 1))
    throw new InvalidArgumentError('Expected a number between 0 and 1.');
  return value;
}

export function shareUpTo1(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('Expected a number from 0 to 1.');
  return value;
}

/** `a,b,c`; may be given several times. */
export function list(text: string, previous: string[] | undefined): string[] {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  if (items.length === 0)
    throw new InvalidArgumentError('Expected a name, or several with commas between them.');
  return [...(previous ?? []), ...items];
}
