// A suite and a backend of your own. In this folder:
//   npx krisis check potassium/urgency
//   npx krisis run potassium/urgency --model rule/threshold
// All values are made up.
import { defineBackend, defineConfig, defineSuite } from 'krisis';

const suite = defineSuite({
  name: 'potassium/urgency',
  sensitivity: 'synthetic',
  task: {
    id: 'potassium/urgency',
    labels: ['urgent', 'not urgent'],
    positiveLabel: 'urgent',
    ordered: false,
    pack: 'detection',
    defaultArm: 'natural',
    arms: {
      natural: {
        instructions:
          'Decide whether this potassium result needs action today: "urgent" or "not urgent". Abstain when the data do not support a safe answer.',
      },
    },
    primaryEndpoint: {
      metric: 'decision_accuracy',
      arm: 'natural',
      why: 'a missed emergency and a needless alarm both count',
    },
  },
  load: () =>
    Array.from({ length: 40 }, (_, i) => {
      const potassium = Math.round((2.6 + (i * 4.6) / 39) * 10) / 10;
      // A haemolysed sample reads too high: the value cannot be used.
      const haemolysed = i % 8 === 3;
      return {
        id: `k${String(i).padStart(2, '0')}`,
        features: { 'Potassium (mmol/L)': potassium, Sample: haemolysed ? 'haemolysed' : 'fine' },
        label: haemolysed ? null : potassium >= 6.5 || potassium < 3 ? 'urgent' : 'not urgent',
        metadata: {
          should_abstain: haemolysed,
          should_abstain_reasons: haemolysed ? ['haemolysed_sample'] : [],
        },
      };
    }),
});

const rule = defineBackend({
  name: 'rule/threshold',
  evaluate: ({ features }) => {
    const potassium = Number(features['Potassium (mmol/L)']);
    return {
      prediction: potassium >= 6 || potassium < 3 ? 'urgent' : 'not urgent',
      abstained: false,
      confidence: 0.9,
    };
  },
});

export default defineConfig({ suites: [suite], backends: [rule] });
