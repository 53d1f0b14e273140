/** Units that can be converted: what they measure, and how many of the base unit they are. */
const UNITS: Readonly<Record<string, readonly [dimension: string, factor: number]>> = {
  kg: ['mass', 1e3],
  g: ['mass', 1],
  mg: ['mass', 1e-3],
  mcg: ['mass', 1e-6],
  µg: ['mass', 1e-6],
  ug: ['mass', 1e-6],
  ng: ['mass', 1e-9],
  l: ['volume', 1],
  dl: ['volume', 1e-1],
  ml: ['volume', 1e-3],
  µl: ['volume', 1e-6],
  ul: ['volume', 1e-6],
  mol: ['amount', 1],
  mmol: ['amount', 1e-3],
  µmol: ['amount', 1e-6],
  umol: ['amount', 1e-6],
  nmol: ['amount', 1e-9],
  pmol: ['amount', 1e-12],
  week: ['time', 168],
  day: ['time', 24],
  d: ['time', 24],
  hour: ['time', 1],
  h: ['time', 1],
  min: ['time', 1 / 60],
  minute: ['time', 1 / 60],
  s: ['time', 1 / 3600],
  second: ['time', 1 / 3600],
};

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
  const [a, b] = [partsOf(from), partsOf(to)];
  if (a.length !== b.length) return null;
  let factor = 1;
  for (const [i, part] of a.entries()) {
    const other = b[i]!;
    if (part === other) continue;
    const [known, wanted] = [UNITS[part], UNITS[other]];
    if (known === undefined || wanted === undefined || known[0] !== wanted[0]) return null;
    const ratio = known[1] / wanted[1];
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
  const [parts, others] = [partsOf(a), partsOf(b)];
  const areUnits = [...parts, ...others].every((part) => /^(?:[\d.]+ )?[^\s\d]\S*$/.test(part));
  return areUnits && parts.length !== others.length;
}

/** Numerator and denominators: "mg per kg per day" is mg, kg, day. */
function partsOf(unit: string): string[] {
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
