import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { intervals } from '../chart.ts';
import { listed, Page, table } from '../page.ts';
import { type Json, krisisJson } from '../run-krisis.ts';

/** One file has all repeats of a system, or one file each. */
const JULY = ['gpt-4.5', 'medask', 'o1-mini', 'o3', 'o3-mini', 'o4-mini'] as const;
const MARCH = { 'gpt-4o (March)': 'gpt4o', 'o1 (March)': 'o1' } as const;
/** The system whose makers published the answers. */
const CLAIMANT = 'medask';
const SYSTEMS = [...JULY, ...Object.keys(MARCH)];
const FOLDERS = {
  july: 'triage_bench/results/medask_results_jul25',
  march: 'triage_bench/results/medask_results_mar25/semigran',
};
const COLUMNS = 'id=case_id,prediction=llm_output,ground_truth=true_urgency';
const READING = ['--labels', 'sc,ne,em', '--act-labels', 'em', '--refused', '/sorry/i'];
const SCORES = [
  ['missed_emergency_rate', 'missed', 'missed emergencies'],
  ['false_alarm_rate', 'alarms', 'false alarms'],
  ['under_staging_rate', 'under', 'under-triage'],
  ['over_staging_rate', 'over', 'over-triage'],
  ['accuracy', 'accuracy', 'accuracy'],
] as const;

/** Writes the page of the study from the data in `folder` into `output`. */
export function runStudy(folder: string, output: string): void {
  const page = new Page(import.meta.dirname, output);
  const work = mkdtempSync(join(tmpdir(), 'krisis-study-'));
  try {
    const scores = new Map(SYSTEMS.map((system) => [system, scoreSystem(folder, work, system)]));
    const compared = krisisJson(work, ['compare', ...SYSTEMS.map(runFile)]);
    scoreTable(page, scores);
    figure(page, scores);
    orders(page, compared);
    const claimed = krisisJson(work, ['compare', ...JULY.map(runFile), '--baseline', runFile(CLAIMANT)]);
    claims(page, claimed);
    ranks(page, compared);
    cases(page, compared);
    variance(page, compared);
    plans(page, work);
    refusals(page, scores);
    answer(page, scores, { compared, claimed });
  } finally {
    rmSync(work, { recursive: true });
  }
  page.finish();
}

function runFile(system: string): string {
  return `${system.replaceAll(/[ ()]/g, '_')}.db`;
}

function scoreSystem(folder: string, work: string, system: string): Json {
  const keep = ['--save', '--run', runFile(system), '--name', system];
  const isJuly = (JULY as readonly string[]).includes(system);
  const files = isJuly
    ? [join(folder, FOLDERS.july, `semigran_${system}.jsonl`)]
    : [1, 2, 3, 4, 5].map((run) =>
        join(folder, FOLDERS.march, `semigran_${MARCH[system as keyof typeof MARCH]}_${run}.jsonl`),
      );
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined)
    throw new Error(`no ${missing}: expected a checkout of medaks/medask-benchmarks`);
  const columns = isJuly ? `${COLUMNS},repeat=run_id` : COLUMNS;
  return krisisJson(work, [
    'score',
    ...files,
    ...(isJuly ? [] : ['--as-repeats']),
    '--columns',
    columns,
    ...READING,
    ...keep,
  ]);
}

function scoreTable(page: Page, scores: ReadonlyMap<string, Json>): void {
  page.part(
    'scores',
    table(
      ['system', ...SCORES.map(([, , title]) => title)],
      SYSTEMS.map((system) => [
        system,
        ...SCORES.map(([metric, id]) => {
          const { n_successes: x, n_evaluated: n, value, interval } = scores.get(system)!.metrics[metric];
          const key = `${system}/${id}`;
          return `${page.count(`${key}/x`, x)}/${page.count(`${key}/n`, n)}, ${page.share(`${key}/value`, value)} (${page.range(key, interval.lower, interval.upper)})`;
        }),
      ]),
    ),
  );
}

function figure(page: Page, scores: ReadonlyMap<string, Json>): void {
  const row = (system: string, metric: string, group: number) => {
    const { value, interval } = scores.get(system)!.metrics[metric];
    return { name: system, group, at: { value, lower: interval.lower, upper: interval.upper } };
  };
  const byAccuracy = [...SYSTEMS].sort(
    (a, b) => scores.get(b)!.metrics.accuracy.value - scores.get(a)!.metrics.accuracy.value,
  );
  page.write(
    'figure.svg',
    intervals(
      {
        title: 'Accuracy, and missed emergencies',
        subtitle: 'systems in the order of accuracy; intervals take the repeats of a case together',
        x: { title: 'percent', from: 0, to: 100, step: 20 },
      },
      byAccuracy.flatMap((system) => [
        row(system, 'accuracy', 0),
        { ...row(system, 'missed_emergency_rate', 1), name: '' },
      ]),
      ['accuracy', 'missed emergencies'],
    ),
  );
}

const ORDERED = {
  missed_emergency_rate: 'missed',
  false_alarm_rate: 'alarms',
  accuracy: 'accuracy',
} as const;
const WORDS = { missed: 'missed emergencies', alarms: 'false alarms', accuracy: 'accuracy' } as const;

function orders(page: Page, compared: Json): void {
  const lines = compared.model_order.orders.map(({ metric, n_shown, pairs }: Json) => {
    const id = ORDERED[metric as keyof typeof ORDERED];
    const least = Math.min(...pairs.map(({ p_holm }: Json) => p_holm));
    return `- ${WORDS[id]}: ${page.count(`pairs/${id}/shown`, n_shown)} of ${page.count(`pairs/${id}/all`, pairs.length)} differences are shown; the smallest adjusted p is ${page.p(`pairs/${id}/least`, least)}`;
  });
  page.part('orders', lines.join('\n'));
}

/** The claim of the authors, system by system: theirs, the baseline, is more accurate. */
function claims(page: Page, { comparisons }: Json): void {
  const rows = comparisons.map(({ model, endpoints }: Json) => [
    model,
    ...(['accuracy', 'missed_emergency_rate'] as const).flatMap((metric) => {
      const { difference, interval, p, p_holm, verdict } = endpoints[metric];
      const key = `claim/${model}/${ORDERED[metric]}`;
      const shown = verdict === 'no_difference_shown' ? 'no' : 'yes';
      return [
        `${page.points(`${key}/difference`, -difference)} (${page.pointsRange(key, -interval.upper, -interval.lower)})`,
        page.p(`${key}/p`, p),
        page.p(`${key}/p_holm`, p_holm),
        page.note(`${key}/shown`, shown, shown === 'yes' ? '**yes**' : 'no'),
      ];
    }),
  ]);
  const titles = ['points', 'p', 'p (Holm)', 'shown'];
  page.part(
    'claims',
    table(
      [
        `${CLAIMANT} minus`,
        ...titles.map((title) => `accuracy, ${title}`),
        ...titles.map((title) => `missed, ${title}`),
      ],
      rows,
    ),
  );
}

function ranks(page: Page, compared: Json): void {
  const ranked = (metric: string) =>
    compared.rank_intervals.ranked.find((each: Json) => each.metric === metric);
  const cell = (system: string, metric: 'accuracy' | 'missed_emergency_rate') => {
    const { rank, lower, upper } = ranked(metric).models.find(({ name }: Json) => name === system);
    const key = `ranks/${ORDERED[metric]}/${system}`;
    return [
      page.note(`${key}/rank`, rank, String(rank)),
      `${page.note(`${key}/rank/lower`, lower, String(lower))} to ${page.note(`${key}/rank/upper`, upper, String(upper))}`,
    ];
  };
  page.part(
    'ranks',
    table(
      ['system', 'rank by accuracy', '95 % interval', 'rank by missed emergencies', '95 % interval'],
      SYSTEMS.map((system) => [
        system,
        ...cell(system, 'accuracy'),
        ...cell(system, 'missed_emergency_rate'),
      ]),
    ),
  );
}

function cases(page: Page, { item_difficulty: difficulty }: Json): void {
  const { n_records, all_wrong, all_right, negative_discrimination, records } = difficulty;
  const hardest = records
    .slice(0, 8)
    .map(({ id, expected, right, n_judged, commonest }: Json) => [
      id,
      expected,
      `${page.count(`case/${id}/right`, right)}/${page.count(`case/${id}/n`, n_judged)}`,
      `${page.note(`case/${id}/answer`, commonest.label, commonest.label)} (${page.count(`case/${id}/answers`, commonest.n)})`,
    ]);
  page.part(
    'cases',
    `${page.count('cases/all_wrong', all_wrong.n)} of ${page.count('cases/n', n_records)} cases are wrong in every answer of every system, and ${page.count('cases/all_right', all_right)} right in every one. On ${page.count('cases/negative', negative_discrimination)}, systems that do better elsewhere do worse. The hardest:\n\n${table(['case', 'label', 'right', 'commonest answer'], hardest)}`,
  );
}

const PARTS = [
  ['cases', 'cases: hard for every system'],
  ['models', 'systems: better over all cases'],
  ['cases_by_models', 'cases by system: hard for one, not for another'],
  ['repeats', 'repeats of one case by one system'],
] as const;

function variance(page: Page, { variance_split: { splits } }: Json): void {
  const named = splits.map((split: Json) => [ORDERED[split.metric as keyof typeof ORDERED], split]);
  page.part(
    'variance',
    table(
      ['part of the variance', ...named.map(([id]: Json) => WORDS[id as keyof typeof WORDS])],
      PARTS.map(([part, words]) => [
        words,
        ...named.map(([id, split]: Json) => {
          const { share, lower, upper } = split[part];
          const key = `variance/${id}/${part}`;
          return `${page.share(`${key}/share`, share)} (${page.range(key, lower, upper)})`;
        }),
      ]),
    ),
  );
}

/** A difference, the share of cases on which exactly one system is right, and what it is of. */
const PLANS = [
  ['0.05', '0.1', 'emergencies'],
  ['0.1', '0.2', 'emergencies'],
  ['0.05', '0.2', 'cases'],
  ['0.1', '0.25', 'cases'],
] as const;

function plans(page: Page, work: string): void {
  const rows = PLANS.map(([difference, discordant, unit]) => {
    const found = krisisJson(work, ['plan', '--difference', difference, '--discordant', discordant]);
    const { records } = found.differences.find(({ power }: Json) => power === 0.8);
    const of = unit === 'cases' ? 'accuracy' : 'missed emergencies';
    return [
      of,
      `${100 * Number(difference)} points`,
      `${100 * Number(discordant)} %`,
      `${page.count(`plan/${difference}/${discordant}`, records)} ${unit}`,
    ];
  });
  page.part('plans', table(['difference in', 'of', 'one of two right on', 'needed, 80 % power'], rows));
}

function refusals(page: Page, scores: ReadonlyMap<string, Json>): void {
  const refused = SYSTEMS.flatMap((system) => {
    const n = page.count(`${system}/refused`, scores.get(system)!.ledger.refused);
    return n === '0' ? [] : [`${system} refused ${n} time${n === '1' ? '' : 's'}`];
  });
  page.part(
    'refusals',
    refused.length === 0
      ? 'No system refused in words.'
      : `In words, ${listed(refused)}: a refusal counts as neither under- nor over-triage, and as a wrong answer.`,
  );
}

function answer(
  page: Page,
  scores: ReadonlyMap<string, Json>,
  { compared, claimed }: { readonly compared: Json; readonly claimed: Json },
): void {
  const value = (system: string, metric: string) => scores.get(system)!.metrics[metric].value;
  const count = (system: string) => {
    const { n_successes: x, n_evaluated: n } = scores.get(system)!.metrics.missed_emergency_rate;
    return `${page.count(`${system}/missed/x`, x)} of ${page.count(`${system}/missed/n`, n)}`;
  };
  const byAccuracy: string[] = [...JULY].sort((a, b) => value(b, 'accuracy') - value(a, 'accuracy'));
  const bySafety: string[] = [...JULY].sort(
    (a, b) => value(a, 'missed_emergency_rate') - value(b, 'missed_emergency_rate'),
  );
  const [best, safest] = [byAccuracy[0]!, bySafety[0]!];
  const place = byAccuracy.indexOf(safest) + 1;
  const order = compared.model_order.orders.find(({ metric }: Json) => metric === 'missed_emergency_rate');
  const isShown = order.pairs.some(
    ({ models, is_shown }: Json) => is_shown && models.includes(best) && models.includes(safest),
  );
  const beaten = (metric: string, verdict: string) =>
    claimed.comparisons
      .filter(({ endpoints }: Json) => endpoints[metric].verdict === verdict)
      .map(({ model }: Json) => model);
  const accurate = beaten('accuracy', 'lower').concat(beaten('accuracy', 'worse'));
  const safer = beaten('missed_emergency_rate', 'worse').concat(beaten('missed_emergency_rate', 'higher'));
  const others = page.count('claims/n', claimed.comparisons.length);
  page.part(
    'answer',
    [
      `- Of the systems of July, ${best} has the highest accuracy (${page.share(`${best}/accuracy/value`, value(best, 'accuracy'))}). The fewest missed emergencies has ${safest}: ${count(safest)} answers, and place ${page.count('safest/place', place)} by accuracy.${safest === best ? '' : ` ${best} missed ${count(best)}.`}${safest === best || isShown ? '' : ' The two cannot be told apart.'}`,
      `- ${CLAIMANT} is shown to be more accurate than ${page.count('claims/accuracy', accurate.length)} of the ${others} others${accurate.length === 0 ? '' : ` (${listed(accurate)})`}, and to miss fewer emergencies than ${page.count('claims/missed', safer.length)} of them.`,
      `- Of all pairs of the ${page.count('systems', SYSTEMS.length)} systems, ${page.count('pairs/missed/shown', order.n_shown)} of ${page.count('pairs/missed/all', order.pairs.length)} differences in missed emergencies are shown. So these answers do not say whether accuracy ranks safety.`,
      `- Each system gave ${page.count('emergencies/answers', scores.get(SYSTEMS[0]!)!.metrics.missed_emergency_rate.n_evaluated)} answers to ${page.count('emergencies/cases', order.pairs[0].n)} emergencies. Repeats do not make more cases.`,
    ].join('\n'),
  );
}
