import { scoredRun } from '../src/analyses/comparison/scored-run.ts';
import { evaluationResult } from '../src/core/evaluation-result.ts';
import { accuracy } from '../src/metrics/catalogue.ts';
import { checkNonInferiority } from '../src/runs/gates/non-inferiority.ts';
import { nonInferiority, pairedScoreInterval } from '../src/statistics/paired-score-interval.ts';
import { wilsonInterval } from '../src/statistics/proportions.ts';
import { createRandom } from '../src/statistics/random.ts';
import { expectedOverPairs, expectedOverSuccesses } from './exact-expectation.ts';

/**
 * How often intervals cover the truth, and how often the non-inferiority gate passes a model that is worse by exactly the margin. Formulas are not simulated but summed over
 * every outcome with its probability; the gate itself, with clusters and repeats, is simulated. Exits with 1 where a promise of docs/intervals.md does not hold.
 */
const MARGIN = 0.02;
const MAX_ERROR = 0.03;
const MIN_COVERAGE = 0.92;
const DISCORDANT = [0.02, 0.03, 0.05, 0.07, 0.1];
let broken = 0;

function check(holds: boolean, text: string): string {
  if (!holds) broken += 1;
  return holds ? text : `**${text}**`;
}

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  console.log(`\n${title}\n\n${lines.join('\n')}`);
}

const share = (value: number) => value.toFixed(3);
const percent = (value: number) => `${Math.round(value * 1000) / 10} %`;

table(
  `Type-I error: the gate passes a model that is worse by exactly the margin of ${MARGIN} (nominal 0.025, at most ${MAX_ERROR})`,
  ['n', ...DISCORDANT.map((psi) => `${percent(psi)} discordant`)],
  [20, 50, 100, 200, 400, 700, 1000].map((n) => [
    String(n),
    ...DISCORDANT.map((psi) => {
      const passes = (b: number, c: number) =>
        Number(nonInferiority(pairedScoreInterval({ b, c, n })!, MARGIN) === 'pass');
      const error = expectedOverPairs({ n, discordant: psi, difference: -MARGIN }, passes);
      return check(error <= MAX_ERROR, share(error));
    }),
  ]),
);

const covers = ([lower, upper]: readonly [number, number], truth: number) =>
  Number(lower <= truth + 1e-12 && truth - 1e-12 <= upper);

table(
  `Coverage of a 95 % interval of a paired difference, n = 100 (at least ${MIN_COVERAGE} from 5 % discordant pairs on; below that it is only shown)`,
  ['true difference', ...[0.02, 0.05, 0.1, 0.2, 0.3, 0.5].map((psi) => `${percent(psi)} discordant`)],
  [0, 0.01, 0.02, 0.05, 0.1, 0.2].map((difference) => [
    percent(difference),
    ...[0.02, 0.05, 0.1, 0.2, 0.3, 0.5].map((discordant) => {
      if (difference > discordant) return '-';
      const coverage = expectedOverPairs({ n: 100, discordant, difference }, (b, c) =>
        covers(pairedScoreInterval({ b, c, n: 100 })!, difference),
      );
      return check(coverage >= MIN_COVERAGE || discordant < 0.05, share(coverage));
    }),
  ]),
);

const wilsonCoverage = (n: number, p: number) =>
  expectedOverSuccesses(n, p, (x) => covers(wilsonInterval(x, n)!, p));
const SHARES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.95, 0.98, 0.99];
table(
  `Coverage of Wilson's 95 % interval of a share (at n = 100 at least ${MIN_COVERAGE} from 0.05 to 0.95; outside it is only shown)`,
  ['n', ...SHARES.map(String), 'least from 0.05 to 0.95'],
  [20, 50, 100, 200, 1000].map((n) => {
    const between = Array.from({ length: 181 }, (_, i) => wilsonCoverage(n, 0.05 + i * 0.005));
    const least = Math.min(...between);
    const shown = check(n !== 100 || least >= MIN_COVERAGE, share(least));
    return [String(n), ...SHARES.map((p) => share(wilsonCoverage(n, p))), shown];
  }),
);

/** Pairs of runs whose records differ as given; the records of a cluster share their outcome with probability `together`. */
function* simulatedRuns(
  how: { records: number; clusterSize: number; together: number; repeats: number; discordant: number },
  simulations: number,
) {
  const random = createRandom(1);
  const pickOutcome = () => {
    const drawn = random.float();
    const onlyModel = (how.discordant - MARGIN) / 2;
    if (drawn < onlyModel) return { model: 1, baseline: 0 };
    if (drawn < how.discordant) return { model: 0, baseline: 1 };
    const both = Number(random.float() < 0.8);
    return { model: both, baseline: both };
  };
  for (let s = 0; s < simulations; s++) {
    let shared = pickOutcome();
    const outcomes = Array.from({ length: how.records }, (_, i) => {
      if (i % how.clusterSize === 0) shared = pickOutcome();
      return random.float() < how.together ? shared : pickOutcome();
    });
    yield (['model', 'baseline'] as const).map((side) =>
      scoredRun(
        Array.from({ length: how.repeats }).flatMap(() =>
          outcomes.map((outcome, i) =>
            evaluationResult({
              id: `r${i}`,
              groundTruth: 1,
              prediction: outcome[side],
              metadata: { patient: Math.floor(i / how.clusterSize) },
            }),
          ),
        ),
        { keep: ['patient'] },
      ),
    );
  }
}

const SIMULATIONS = 1000;
const alone = { records: 100, clusterSize: 1, together: 0, repeats: 1, discordant: 0.1 };
table(
  `Type-I error of the gate itself, ${SIMULATIONS} simulations, 10 % discordant pairs (with clusters it is only shown)`,
  ['records', 'clusters', 'how', 'error'],
  [
    { ...alone, how: 'independent records' },
    { ...alone, repeats: 3, how: 'the same, each asked three times' },
    { ...alone, records: 400, clusterSize: 4, together: 0.3, how: 'clusters of 4, clustered' },
    { ...alone, records: 400, clusterSize: 8, together: 0.3, how: 'clusters of 8, clustered' },
    {
      ...alone,
      records: 400,
      clusterSize: 8,
      together: 0.3,
      ignored: true,
      how: 'clusters of 8, taken as independent',
    },
  ].map(({ how, ...given }) => {
    let passed = 0;
    let seed = 0;
    for (const [model, baseline] of simulatedRuns(given, SIMULATIONS)) {
      const [verdict] = checkNonInferiority(model!, baseline!, {
        metric: accuracy(),
        margin: MARGIN,
        baselineName: 'baseline',
        resamples: 500,
        // Fixed draws would share their error among all simulations.
        seed: seed++,
        level: 0.95,
        cluster: given.clusterSize === 1 || 'ignored' in given ? undefined : 'patient',
      });
      passed += Number(verdict!.status === 'pass');
    }
    const error = passed / SIMULATIONS;
    const mayBe = MAX_ERROR + 3 * Math.sqrt((MAX_ERROR * (1 - MAX_ERROR)) / SIMULATIONS);
    return [
      String(given.records),
      String(given.records / given.clusterSize),
      how,
      given.clusterSize > 1 ? share(error) : check(error <= mayBe, share(error)),
    ];
  }),
);

console.log(`\n${broken === 0 ? 'Every promise holds.' : `${broken} promises do not hold (in bold).`}`);
process.exitCode = broken === 0 ? 0 : 1;
