import type { Random } from '../../statistics/index.ts';
import { chance, choose, uniform } from '../cohort/distributions.ts';
import { roundToStep } from '../cohort/round-to-step.ts';
import type { MeasuredAcute } from './shown.ts';

/** What a high glucose comes with. Values between a crisis and none are not drawn: whether they need action today would be open. */
const HIGH_GLUCOSE = { ketoacidosis: 55, hyperosmolar: 18, none: 27 } as const;
/** With a blood more acid than this nobody is awake and in no need of help. */
const DROWSY_BELOW_PH = 7.1;

/** Measurements of a person with high glucose: ketoacidosis, a hyperosmolar state, or neither. Blood gases are missing in some; high ketones then make ketoacidosis suspected. */
export function highGlucoseNow(random: Random): MeasuredAcute {
  const state = choose(random, HIGH_GLUCOSE);
  const hasGas = chance(random, 0.8) || state === 'hyperosmolar';
  const { glucose, bohb, ph, bicarbonate, sodium, isDrowsy } = DRAW[state](random);
  return {
    glucose,
    needsAssistance: false,
    isDrowsy,
    bohb: roundToStep(bohb, 0.1),
    ph: hasGas ? roundToStep(ph, 0.01) : null,
    bicarbonate: hasGas ? roundToStep(bicarbonate, 1) : null,
    sodium: roundToStep(sodium, 1),
  };
}

const DRAW = {
  ketoacidosis: (random: Random) => {
    const severity = random.float();
    const ph = 7.26 - 0.29 * severity + uniform(random, -0.02, 0.02);
    return {
      glucose: uniform(random, 260, 620),
      bohb: 3.3 + 4 * severity,
      ph,
      bicarbonate: 16 - 9 * severity + uniform(random, -1, 1),
      sodium: uniform(random, 127, 142),
      // Rounded, since that is how it is shown.
      isDrowsy: roundToStep(ph, 0.01) < DROWSY_BELOW_PH,
    };
  },
  hyperosmolar: (random: Random) => ({
    glucose: uniform(random, 640, 950),
    bohb: uniform(random, 0.2, 1.5),
    ph: uniform(random, 7.33, 7.42),
    bicarbonate: uniform(random, 19, 26),
    sodium: uniform(random, 136, 152),
    isDrowsy: chance(random, 0.5),
  }),
  none: (random: Random) => ({
    glucose: uniform(random, 210, 310),
    bohb: uniform(random, 0.1, 0.8),
    ph: uniform(random, 7.36, 7.43),
    bicarbonate: uniform(random, 22, 27),
    sodium: uniform(random, 135, 143),
    isDrowsy: false,
  }),
} as const;

/** Measurements of a person with low glucose, clearly below the line of level 2. */
function lowGlucoseNow(random: Random): MeasuredAcute {
  const glucose = uniform(random, 32, 51);
  const needsAssistance = chance(random, 0.3);
  const isDrowsy = false;
  return { glucose, needsAssistance, isDrowsy, bohb: null, ph: null, bicarbonate: null, sodium: null };
}

/** Low or high glucose, each in half of the people who have it measured now. */
export function glucoseNow(random: Random): MeasuredAcute {
  return chance(random, 0.5) ? lowGlucoseNow(random) : highGlucoseNow(random);
}
