import type { FeatureValue, PatientRecord } from './patient-record.ts';

/** The text for a value that is null. */
const NOT_MEASURED = 'not measured';

/**
 * Features as the lines of text that a model sees: `name: value`, with "not measured" for null. A list of objects (visits) is one line each.
 *
 * @example
 * ```ts
 * featureText({ 'Age (years)': 61, 'Potassium (mEq/L)': null, Visits: [{ month: 0, creatinine: 1.1 }] })
 * // => 'Age (years): 61\nPotassium (mEq/L): not measured\nVisits:\n  - month: 0, creatinine: 1.1'
 * ```
 */
export function featureText(features: PatientRecord['features']): string {
  return Object.entries(features)
    .map(([name, value]) => {
      if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)) {
        return `${name}:\n${value.map((item) => `  - ${inline(item)}`).join('\n')}`;
      }
      return `${name}: ${inline(value)}`;
    })
    .join('\n');
}

function inline(value: FeatureValue): string {
  if (value === null) return NOT_MEASURED;
  if (Array.isArray(value)) return value.map(inline).join(', ');
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([name, inner]) => `${name}: ${inline(inner)}`)
      .join(', ');
  }
  return String(value);
}
