import type { Random } from '../../statistics/index.ts';
import { chance, uniform } from '../cohort/distributions.ts';
import { roundToStep } from '../cohort/round-to-step.ts';
import type { MeasuredAcute } from './shown.ts';

/** Measurements of a person with high glucose: ketones, pH and bicarbonate go together, glucose varies by itself, and blood gases are missing in some. */
export function highGlucoseNow(random: Random): MeasuredAcute {
  const ketosis = random.float();
  const hasGas = chance(random, 0.85);
  const ph = 7.42 - 0.45 * ketosis + uniform(random, -0.03, 0.03);
  const bicarbonate = 25 - 18 * ketosis + uniform(random, -2, 2);
  return {
    glucose: uniform(random, 260, 900),
    needsAssistance: false,
    bohb: roundToStep(0.2 + 6.8 * ketosis, 0.1),
    ph: hasGas ? roundToStep(Math.min(7.42, ph), 0.01) : null,
    bicarbonate: hasGas ? roundToStep(Math.min(25, bicarbonate), 1) : null,
    sodium: roundToStep(uniform(random, 126, 149), 1),
  };
}

/** Measurements of a person with low glucose, clearly below the line of level 2. */
export function lowGlucoseNow(random: Random): MeasuredAcute {
  const glucose = uniform(random, 32, 51);
  const needsAssistance = chance(random, 0.3);
  return { glucose, needsAssistance, bohb: null, ph: null, bicarbonate: null, sodium: null };
}
