import { defineConfig, defineMetric } from 'krisis';

// Settings of this project. Flags on the command line override them.
export default defineConfig({
  score: {
    task: 'detection',
    positiveLabel: 'present',
    seed: 42,
  },
  // A metric of your own: a name and a formula. Proportions get Wilson's interval, estimates are resampled.
  extraMetrics: [
    defineMetric({
      name: 'hesitant_answers',
      label: 'Answers below 0.6 confidence',
      reads: 'hesitant, of its answers',
      proportion: (rows) => {
        const answers = [...rows].filter((row) => row.state === 'answered');
        return { successes: answers.filter((row) => (row.confidence ?? 1) < 0.6).length, n: answers.length };
      },
    }),
  ],
});
