import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { curves, intervals } from '../chart.ts';
import { listed, Page, table } from '../page.ts';
import { type Json, krisisJson } from '../run-krisis.ts';
import {
  type Case,
  type Check,
  chosen,
  FORMATS,
  MODELS,
  plain,
  readCases,
  readChecks,
  readTrials,
  type Trial,
} from './read-cases.ts';

/** The formats without options for which the repository has the grader's verdicts on every case. */
const OPEN = ['vignette', 'multiturn'] as const;
const WORDS = {
  vignette: 'whole case',
  multiturn: 'conversation',
  singleturn: 'one reply',
  summarized: 'summary of the conversation',
} as const;
const SCORED = ['--columns', 'id=id,score=right,repeat=repeat'];
/** The answers that the physicians checked. */
const CHECKED = { model: 'gpt4_1106', format: 'vignette' } as const;

/** How many of five trials must agree: the points of a curve, from the strictest rule. */
const AGREEING = [5, 4, 3, 1] as const;

type Row = Readonly<Record<string, unknown>>;

interface Study {
  readonly page: Page;
  readonly work: string;
  readonly cases: ReadonlyMap<string, Case>;
  readonly checks: readonly Check[];
}

/** Writes the page of the study from the data in `folder` into `output`. */
export function runStudy(folder: string, output: string): void {
  const all = readCases(folder);
  const cases = new Map(all.map((own) => [own.id, own]));
  const page = new Page(import.meta.dirname, output);
  const work = mkdtempSync(join(tmpdir(), 'krisis-study-'));
  const study = { page, work, cases, checks: readChecks(folder, all) };
  try {
    for (const model of MODELS) writeRows(study, model, readTrials(folder, model));
    describeData(study);
    const compared = new Map(MODELS.map((model) => [model, compareFormats(study, model)]));
    optionsTable(study, compared);
    openTable(study, compared);
    figure(study, compared);
    const found = { ...grader(study), corrected: correctedTable(study), curves: selective(study) };
    answer(study, compared, { ...found, ambiguity: ambiguity(study) });
  } finally {
    rmSync(work, { recursive: true });
  }
  page.finish();
}

function writeLines({ work }: Study, name: string, rows: readonly Row[]): string {
  writeFileSync(join(work, `${name}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return `${name}.jsonl`;
}

/** One file for each way of asking, with a row for each case and trial, and one with the votes of the trials. */
function writeRows(study: Study, model: string, trials: ReadonlyMap<string, readonly Trial[]>): void {
  const { cases, checks } = study;
  const all = [...trials].filter(([id]) => cases.has(id));
  const rows = (score: (trial: Trial, own: Case) => boolean | null) =>
    all.flatMap(([id, own]) =>
      own.map((trial, repeat) => {
        const right = score(trial, cases.get(id)!);
        return { id, repeat, right, ...(right === null && { state: 'failed' }) };
      }),
    );
  for (const format of FORMATS)
    writeLines(
      study,
      `${model}-${format}`,
      rows((trial, own) => isRight(choiceOf(trial, format, own), own)),
    );
  for (const format of OPEN)
    writeLines(
      study,
      `${model}-${format}-open`,
      rows((trial) => verdict(trial, format)),
    );
  for (const format of OPEN) {
    const votes = all.map(([id, own]) => vote(own, format, cases.get(id)!));
    writeLines(study, `${model}-${format}-votes`, votes);
    for (const least of AGREEING)
      writeLines(
        study,
        `${model}-${format}-votes-${least}`,
        votes.map((own) => ({ ...own, abstained: own.votes! < least })),
      );
    // The same votes, with the experts' opinion in place of the right answer.
    writeLines(
      study,
      `${model}-${format}-clear`,
      votes.filter((own) => own.ambiguous !== null).map((own) => ({ ...own, right: !own.ambiguous })),
    );
  }
  if (model === CHECKED.model) {
    const graded = checks.flatMap(({ id, right }) => {
      const verdicts = trials.get(id)?.map((trial) => verdict(trial, CHECKED.format));
      return verdicts === undefined ? [] : [{ id, right, verdicts }];
    });
    for (const kind of ['settled', 'best', 'worst'] as const)
      writeLines(study, `grader-${kind}`, graderRows(graded, kind));
    const counted = new Map(graded.map(({ id, right, verdicts }) => [id, right / verdicts.length]));
    const shares = all.map(([id, own]) => ({
      id,
      grader: own.filter((trial) => verdict(trial, CHECKED.format)).length / own.length,
      physicians: counted.get(id) ?? null,
    }));
    writeLines(study, 'checked-all', shares);
    writeLines(
      study,
      'checked-dermatology',
      shares.filter(({ id }) => cases.get(id)!.isDermatology),
    );
  }
}

/** Undefined where the trial failed, null where the reply names no option. */
function choiceOf(trial: Trial, format: string, { choices }: Case): string | null | undefined {
  const reply = trial[`${format}_mcq`];
  return typeof reply === 'string' ? chosen(reply, choices) : undefined;
}

function isRight(choice: string | null | undefined, { answer }: Case): boolean | null {
  return choice === undefined ? null : choice !== null && plain(choice) === plain(answer);
}

/** The grader writes 1 for right and 0 for wrong; anything else is no verdict. */
function verdict(trial: Trial, format: string): boolean | null {
  const value = trial[`evaluation_${format}_frq`];
  return value === 1 ? true : value === 0 ? false : null;
}

/** The answer with most votes, and how many trials gave it. */
function vote(trials: readonly Trial[], format: string, own: Case) {
  const { id, ambiguous } = own;
  const votes = trials.map((trial) => choiceOf(trial, format, own));
  if (votes.some((each) => each === undefined))
    return { id, ambiguous, right: null, votes: 0, state: 'failed' };
  const counts = new Map<string | null, number>();
  for (const each of votes) counts.set(each!, (counts.get(each!) ?? 0) + 1);
  const [[most, n]] = [...counts].sort((a, b) => b[1] - a[1]) as [[string | null, number]];
  return { id, ambiguous, right: isRight(most, own), votes: n, confidence: n / votes.length };
}

/**
 * Physicians counted the right trials of a case. Where none or all are right, the truth of each trial is known. Else the trials that the grader calls right, or those that it calls wrong, are taken
 * for the right ones: the best and the worst case for the grader.
 */
function graderRows(
  graded: readonly {
    readonly id: string;
    readonly right: number;
    readonly verdicts: readonly (boolean | null)[];
  }[],
  kind: 'settled' | 'best' | 'worst',
): Row[] {
  return graded.flatMap(({ id, right, verdicts }) => {
    const isSettled = right === 0 || right === verdicts.length;
    if (kind === 'settled' && !isSettled) return [];
    const order = [...verdicts.keys()].sort((a, b) => Number(verdicts[b]) - Number(verdicts[a]));
    const people = new Set((kind === 'worst' ? order.reverse() : order).slice(0, right));
    return verdicts.map((own, repeat) => ({
      id: `${id}#${repeat}`,
      case: id,
      grader: own ? 'right' : 'wrong',
      physicians: people.has(repeat) ? 'right' : 'wrong',
    }));
  });
}

function describeData({ page, cases }: Study): void {
  const all = [...cases.values()];
  const without = all.filter(
    ({ choices, answer }) => !choices.some((choice) => plain(choice) === plain(answer)),
  );
  const asked = all.filter(({ ambiguous }) => ambiguous !== null);
  page.part(
    'data',
    `${page.count('cases', all.length)} cases were asked of every model. In ${page.count('cases/no_option', without.length)} of them no option is the answer, so that no choice is right. Experts annotated ${page.count('cases/annotated', asked.length)}, and see more than one possible answer in ${page.count('cases/ambiguous', asked.filter(({ ambiguous }) => ambiguous).length)}.`,
  );
}

interface Compared {
  readonly options: Json;
  readonly open: Json;
}

function compareFormats({ work }: Study, model: string): Compared {
  const options = krisisJson(work, [
    'compare',
    ...FORMATS.map((format) => `${model}-${format}.jsonl`),
    ...SCORED,
  ]);
  const open = krisisJson(work, [
    'compare',
    ...OPEN.map((format) => `${model}-${format}-open.jsonl`),
    ...SCORED,
  ]);
  return { options, open };
}

function accuracyCells(page: Page, key: string, found: Json, name: string): string {
  const { value, interval } = found.models.find((model: Json) => model.name === name).metrics.accuracy;
  return `${page.share(`${key}/value`, value)} (${page.range(key, interval.lower, interval.upper)})`;
}

function differenceCell(page: Page, key: string, found: Json, name: string): string {
  const { difference, interval, p_holm, n } = found.comparisons.find((pair: Json) => pair.model === name)
    .endpoints.accuracy;
  page.note(`${key}/p_holm`, p_holm, '');
  page.note(`${key}/n`, n, '');
  return `${page.points(`${key}/difference`, difference)} (${page.pointsRange(key, interval.lower, interval.upper)})`;
}

function optionsTable({ page }: Study, compared: ReadonlyMap<string, Compared>): void {
  const rest = FORMATS.slice(1);
  page.part(
    'options',
    table(
      [
        'model',
        ...FORMATS.map((format) => WORDS[format]),
        ...rest.map((format) => `${WORDS[format]} minus whole case, points`),
      ],
      MODELS.map((model) => {
        const { options } = compared.get(model)!;
        return [
          model,
          ...FORMATS.map((format) =>
            accuracyCells(page, `${model}/${format}`, options, `${model}-${format}`),
          ),
          ...rest.map((format) =>
            differenceCell(page, `${model}/${format}/fall`, options, `${model}-${format}`),
          ),
        ];
      }),
    ),
  );
}

function openTable({ page }: Study, compared: ReadonlyMap<string, Compared>): void {
  page.part(
    'open',
    table(
      ['model', ...OPEN.map((format) => WORDS[format]), 'difference, points'],
      MODELS.map((model) => {
        const { open } = compared.get(model)!;
        return [
          model,
          ...OPEN.map((format) =>
            accuracyCells(page, `${model}/${format}/open`, open, `${model}-${format}-open`),
          ),
          differenceCell(page, `${model}/multiturn/open/fall`, open, `${model}-multiturn-open`),
        ];
      }),
    ),
  );
}

function figure({ page }: Study, compared: ReadonlyMap<string, Compared>): void {
  const rows = MODELS.flatMap((model) =>
    FORMATS.map((_, group) => {
      const { value, interval } = compared.get(model)!.options.models[group].metrics.accuracy;
      return {
        name: group === 0 ? model : '',
        group,
        at: { value, lower: interval.lower, upper: interval.upper },
      };
    }),
  );
  page.write(
    'figure.svg',
    intervals(
      {
        title: 'From the whole case to a conversation',
        subtitle: 'accuracy with four options, with 95 % intervals over cases',
        x: { title: 'percent right', from: 0, to: 100, step: 20 },
      },
      rows,
      FORMATS.map((format) => WORDS[format]),
    ),
  );
}

function grader({ page, work, checks }: Study): { readonly sensitivity: Json; readonly specificity: Json } {
  const columns = ['--columns', 'id=id,prediction=grader,ground_truth=physicians', '--cluster', 'case'];
  const rate = (kind: string) =>
    krisisJson(work, [
      'score',
      `grader-${kind}.jsonl`,
      ...columns,
      '--task',
      'detection',
      '--positive-label',
      'right',
    ]).metrics;
  const found = rate('settled');
  const [best, worst] = [rate('best'), rate('worst')];
  const ordered = (kind: string) =>
    krisisJson(work, ['score', `grader-${kind}.jsonl`, ...columns, '--labels', 'wrong,right']).metrics.qwk
      .value;
  const rows = (['sensitivity', 'specificity'] as const).map((metric) => {
    const { n_successes: x, n_evaluated: n, value, interval } = found[metric];
    const key = `grader/${metric}`;
    return [
      metric,
      `${page.count(`${key}/x`, x)}/${page.count(`${key}/n`, n)}`,
      `${page.share(`${key}/value`, value)} (${page.range(key, interval.lower, interval.upper)})`,
      `${page.share(`${key}/worst`, worst[metric].value)} to ${page.share(`${key}/best`, best[metric].value)}`,
    ];
  });
  const kappa = [
    'kappa',
    '',
    page.decimal('grader/kappa/value', ordered('settled')),
    `${page.decimal('grader/kappa/worst', ordered('worst'))} to ${page.decimal('grader/kappa/best', ordered('best'))}`,
  ];
  page.part(
    'grader',
    `Physicians counted the right trials of ${page.count('grader/checked', checks.length)} cases.\n\n${table(['', 'n', 'all trials right, or none', 'with the other cases'], [...rows, kappa])}`,
  );
  return { sensitivity: found.sensitivity, specificity: found.specificity };
}

/** The grader's score of the cases, and what the physicians' counts make of it. A case has one row: the shares of its trials that are right. */
function correctedTable({ page, work }: Study) {
  const scores = (['dermatology', 'all'] as const).map((part) => {
    const { n, metrics } = krisisJson(work, [
      'score',
      `checked-${part}.jsonl`,
      '--columns',
      'id=id,score=grader,checked=physicians',
    ]);
    return { part, n, raw: metrics.mean_score, corrected: metrics.corrected_score };
  });
  const rows = scores.map(({ part, n, raw, corrected: { value, interval, details } }) => {
    const key = `corrected/${part}`;
    const { checked, others } = details.checked_like_others;
    return [
      part === 'all' ? 'all' : 'dermatology',
      page.count(`${key}/n`, n),
      page.count(`${key}/checked`, details.n_checked),
      `${page.share(`${key}/raw`, raw.value)} (${page.range(`${key}/raw`, raw.interval.lower, raw.interval.upper)})`,
      `${page.share(`${key}/grader_on_checked`, checked)}, ${page.share(`${key}/grader_on_others`, others)}`,
      value === null
        ? page.note(`${key}/value`, null, 'not corrected')
        : `${page.share(`${key}/value`, value)} (${page.range(key, interval.lower, interval.upper)})`,
    ];
  });
  page.part(
    'corrected',
    table(
      ['cases', 'n', 'checked', 'right by the grader', 'on checked cases, on the others', 'corrected'],
      rows,
    ),
  );
  return scores[0]!;
}

interface CurvePoint {
  readonly answered: Json;
  readonly right: Json;
}

/** What is answered, and how often wrongly, as the rule gets milder. */
function selective({ page, work }: Study): ReadonlyMap<string, readonly CurvePoint[]> {
  const found = new Map<string, readonly CurvePoint[]>();
  const rows = MODELS.flatMap((model) =>
    OPEN.map((format) => {
      const name = `${model}-${format}-votes`;
      const key = `${model}/${format}/votes`;
      const points = AGREEING.map((least) => {
        const { metrics } = krisisJson(work, [
          'score',
          `${name}-${least}.jsonl`,
          '--columns',
          'id=id,score=right',
        ]);
        return { answered: metrics.answer_rate, right: metrics.selective_accuracy };
      });
      found.set(`${model}/${format}`, points);
      const cell = ({ answered, right }: CurvePoint, least: number) => {
        const own = `${key}/${least}`;
        const { value, interval, n_successes: x, n_evaluated: n } = right;
        page.note(`${own}/wrong/x`, n - x, '');
        page.note(`${own}/wrong/n`, n, '');
        const share = page.share(`${own}/wrong/value`, 1 - value);
        const wrong = `${share} (${page.range(`${own}/wrong`, 1 - interval.upper, 1 - interval.lower)})`;
        return least === 1 ? wrong : `${wrong} of ${page.share(`${own}/answered`, answered.value)}`;
      };
      const cells = points.map((point, i) => cell(point, AGREEING[i]!)).toReversed();
      return [model, WORDS[format], ...cells, auroc(page, `${key}/auroc`, work, name).text];
    }),
  );
  page.part(
    'selective',
    table(
      [
        'model',
        'asked with',
        'wrong, if all are answered',
        'if at least 3 agree',
        'if at least 4 agree',
        'if all 5 agree',
        'AUROC of agreement',
      ],
      rows,
    ),
  );
  for (const format of OPEN)
    page.write(
      `answered-${format}.svg`,
      curves(
        {
          title: `Answering where trials agree: ${WORDS[format]}`,
          subtitle: 'from left: all 5 of a case agree, 4, 3, any; bars are 95 % intervals over cases',
          x: { title: 'cases answered', from: 0, to: 100, step: 20 },
          y: { title: 'wrong, of those answered', from: 0, to: 80, step: 20 },
        },
        MODELS.map((model) => ({
          name: model,
          points: found.get(`${model}/${format}`)!.map(({ answered, right }) => ({
            x: answered.value,
            y: {
              value: 1 - right.value,
              lower: 1 - right.interval.upper,
              upper: 1 - right.interval.lower,
            },
          })),
        })),
      ),
    );
  return found;
}

/** The chance that agreement is higher where `right` is true than where it is false; ties count half. */
function auroc(page: Page, key: string, work: string, name: string) {
  const { value, interval } = krisisJson(work, [
    'score',
    `${name}.jsonl`,
    '--columns',
    'id=id,score=right',
    '--bundle',
    'extended',
  ]).metrics.auroc_confidence;
  const text = page.decimal(`${key}/value`, value);
  if (interval === null) return { text, interval };
  page.note(`${key}/lower`, interval.lower, '');
  page.note(`${key}/upper`, interval.upper, '');
  return { text: `${text} (${interval.lower.toFixed(2)} to ${interval.upper.toFixed(2)})`, interval };
}

/** Whether trials agree less on cases in which experts see more than one possible answer. */
function ambiguity({ page, work, cases }: Study): readonly Json[] {
  const found: Json[] = [];
  const asked = [...cases.values()].filter(({ ambiguous }) => ambiguous !== null);
  const rows = MODELS.flatMap((model) =>
    OPEN.map((format) => {
      const name = `${model}-${format}-clear`;
      const key = `${model}/${format}/ambiguity`;
      const { text, interval } = auroc(page, key, work, name);
      found.push(interval);
      return [model, WORDS[format], text];
    }),
  );
  page.part(
    'ambiguity',
    table(['model', 'asked with', `AUROC of agreement for clear cases, ${asked.length} cases`], rows),
  );
  return found.filter((interval) => interval !== null);
}

interface Found {
  readonly sensitivity: Json;
  readonly specificity: Json;
  readonly corrected: ReturnType<typeof correctedTable>;
  readonly curves: ReadonlyMap<string, readonly CurvePoint[]>;
  readonly ambiguity: readonly Json[];
}

function answer(
  { page }: Study,
  compared: ReadonlyMap<string, Compared>,
  { sensitivity, specificity, corrected, curves: found, ambiguity: known }: Found,
): void {
  const falls = MODELS.map(
    (model) =>
      compared.get(model)!.options.comparisons.find((pair: Json) => pair.model === `${model}-multiturn`)
        .endpoints.accuracy,
  );
  const shown = falls.filter(({ interval }) => interval.upper < 0);
  const sizes = falls.map(({ difference }) => -difference);
  const fallen = MODELS.filter((model) => {
    const { open } = compared.get(model)!;
    return open.comparisons[0].endpoints.accuracy.interval.upper < 0;
  });
  const [strict, , , all] = found.get(`${CHECKED.model}/multiturn`)!;
  const agree = `${CHECKED.model}/multiturn/votes`;
  page.part(
    'answer',
    [
      `- With options, ${page.count('falls/shown', shown.length)} of ${page.count('falls/models', falls.length)} models are shown to be right less often in a conversation than with the whole case: by ${page.share('falls/least', Math.min(...sizes)).replace(' %', '')} to ${page.share('falls/most', Math.max(...sizes)).replace(' %', '')} points. Without options the same holds for ${listed(fallen)}.`,
      `- The grader model calls ${page.share('grader/sensitivity/value', sensitivity.value)} of the answers right that physicians call right, and ${page.share('grader/specificity/value', specificity.value)} of those wrong that they call wrong. On the dermatology cases, which are those they checked, it puts ${CHECKED.model} at ${page.share('corrected/dermatology/raw', corrected.raw.value)}; corrected, that is ${page.share('corrected/dermatology/value', corrected.corrected.value)}.`,
      `- ${CHECKED.model} in a conversation: answering only where all five trials agree lowers the share of wrong answers from ${page.share(`${agree}/1/wrong/value`, 1 - all!.right.value)} to ${page.share(`${agree}/5/wrong/value`, 1 - strict!.right.value)}, and answers ${page.share(`${agree}/5/answered`, strict!.answered.value)} of the cases. Agreement is shown to be higher on clear cases than on ambiguous ones in ${page.count('ambiguity/shown', known.filter(({ lower }) => lower > 0.5).length)} of ${page.count('ambiguity/all', known.length)} comparisons.`,
    ].join('\n'),
  );
}
