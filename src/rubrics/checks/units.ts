/** Units that can be converted, by what they measure: how many of the base unit they are. */
const DIMENSIONS: readonly Readonly<Record<string, number>>[] = [
  { kg: 1e3, g: 1, mg: 1e-3, mcg: 1e-6, µg: 1e-6, ug: 1e-6, ng: 1e-9 },
  { l: 1, dl: 1e-1, ml: 1e-3, µl: 1e-6, ul: 1e-6 },
  { mol: 1, mmol: 1e-3, µmol: 1e-6, umol: 1e-6, nmol: 1e-9, pmol: 1e-12 },
  { week: 168, day: 24, d: 24, hour: 1, h: 1, min: 1 / 60, minute: 1 / 60, s: 1 / 3600, second: 1 / 3600 },
];

/** Other spellings. */
const SPELLINGS: Readonly<Record<string, string>> = {
  gram: 'g',
  milligram: 'mg',
  microgram: 'mcg',
  kilogram: 'kg',
  litre: 'l',
  liter: 'l',
  millilitre: 'ml',
  milliliter: 'ml',
  percent: '%',
  'per cent': '%',
  hr: 'h',
  wk: 'week',
};

/**
 * The factor that turns a number in one unit into a number in another: 1000 from g to mg. Null where the units measure different things, or are not known. Units are compared without case, except
 * that nothing is guessed: mmol/L and mg/dL differ by a factor that depends on the substance.
 *
 * @example
 * ```ts
 * unitFactor('g/day', 'mg/day') // => 1000
 * unitFactor('tablets', 'tablet') // => 1
 * unitFactor('mmol/L', 'mg/dL') // => null
 * ```
 */
export function unitFactor(from: string, to: string): number | null {
  const [a, b] = [splitUnit(from), splitUnit(to)];
  if (a.length !== b.length) return null;
  let factor = 1;
  for (const [i, part] of a.entries()) {
    const other = b[i]!;
    if (part === other) continue;
    const units = DIMENSIONS.find((known) => Object.hasOwn(known, part) && Object.hasOwn(known, other));
    if (units === undefined) return null;
    const ratio = units[part]! / units[other]!;
    factor = i === 0 ? factor * ratio : factor / ratio;
  }
  // Powers of ten should come out exact.
  return Number(factor.toPrecision(12));
}

/**
 * Whether two units are divided by different numbers of things, as mg and mg/kg are: then no factor
 * turns one into the other. False where either is more than a unit, such as "mg twice daily".
 *
 * @example
 * ```ts
 * differInDenominators('mg/kg', 'mg') // => true
 * differInDenominators('mmol/L', 'mg/dL') // => false
 * ```
 */
export function differInDenominators(a: string, b: string): boolean {
  const [parts, others] = [splitUnit(a), splitUnit(b)];
  const areUnits = [...parts, ...others].every((part) => /^(?:[\d.]+ )?[^\s\d]\S*$/.test(part));
  return areUnits && parts.length !== others.length;
}

/** Numerator and denominators: "mg per kg per day" is mg, kg, day. */
function splitUnit(unit: string): string[] {
  return unit
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('μ', 'µ')
    .replace(/\s+(?:per|a)\s+/g, '/')
    .split('/')
    .map((part) => {
      const trimmed = part.trim().replace(/\s+/g, ' ');
      const singular = /^[a-zµ]{3,}s$/.test(trimmed) ? trimmed.slice(0, -1) : trimmed;
      return SPELLINGS[trimmed] ?? SPELLINGS[singular] ?? singular;
    });
}
