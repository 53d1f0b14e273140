import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { intervals } from '../chart.ts';
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

type Row = Readonly<Record<string, unknown>>;

interface Study {
  readonly page: Page;
  readonly work: string;
  readonly cases: ReadonlyMap<string, Case>;
  readonly checks: readonly Check[];
}

/** Writes the page of the study from the data in `folder` into `output`. */
export function runStudy(folder: string, output: string): void {
  const cases = new Map(readCases(folder).map((own) => [own.id, own]));
  const page = new Page(import.meta.dirname, output);
  const work = mkdtempSync(join(tmpdir(), 'krisis-study-'));
  const study = { page, work, cases, checks: readChecks(folder) };
  try {
    for (const model of MODELS) writeRows(study, model, readTrials(folder, model));
    describeData(study);
    const compared = new Map(MODELS.map((model) => [model, compareFormats(study, model)]));
    optionsTable(study, compared);
    openTable(study, compared);
    figure(study, compared);
    const { sensitivity, specificity } = grader(study);
    selective(study);
    answer(study, compared, { sensitivity, specificity });
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
  for (const format of OPEN)
    writeLines(
      study,
      `${model}-${format}-votes`,
      all.map(([id, own]) => vote(own, format, cases.get(id)!)),
    );
  if (model === CHECKED.model) {
    const graded = checks.flatMap(({ id, right }) => {
      const verdicts = trials.get(id)?.map((trial) => verdict(trial, CHECKED.format));
      return verdicts === undefined ? [] : [{ id, right, verdicts }];
    });
    for (const kind of ['settled', 'best', 'worst'] as const)
      writeLines(study, `grader-${kind}`, graderRows(graded, kind));
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

/** The answer with most votes, and a deferral unless all trials agree. */
function vote(trials: readonly Trial[], format: string, own: Case): Row {
  const votes = trials.map((trial) => choiceOf(trial, format, own));
  if (votes.some((each) => each === undefined)) return { id: own.id, right: null, state: 'failed' };
  const counts = new Map<string | null, number>();
  for (const each of votes) counts.set(each!, (counts.get(each!) ?? 0) + 1);
  const [[most, n]] = [...counts].sort((a, b) => b[1] - a[1]) as [[string | null, number]];
  return {
    id: own.id,
    right: isRight(most, own),
    confidence: n / votes.length,
    abstained: n < votes.length,
    ...(own.ambiguous !== null && { should_abstain: own.ambiguous }),
  };
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

function selective({ page, work }: Study): void {
  const rows = MODELS.flatMap((model) =>
    OPEN.map((format) => {
      const { metrics } = krisisJson(work, [
        'score',
        `${model}-${format}-votes.jsonl`,
        '--columns',
        'id=id,score=right',
      ]);
      const key = `${model}/${format}/votes`;
      const cell = (metric: string, id: string) => {
        const { value, interval, n_successes: x, n_evaluated: n } = metrics[metric];
        return `${page.count(`${key}/${id}/x`, x)}/${page.count(`${key}/${id}/n`, n)}, ${page.share(`${key}/${id}/value`, value)} (${page.range(`${key}/${id}`, interval.lower, interval.upper)})`;
      };
      return [
        model,
        WORDS[format],
        cell('answer_rate', 'answered'),
        cell('selective_accuracy', 'right'),
        cell('deferral_recall', 'ambiguous'),
        cell('deferred_without_need_rate', 'clear'),
      ];
    }),
  );
  page.part(
    'selective',
    table(
      [
        'model',
        'asked with',
        'all trials agree',
        'right, where they agree',
        'ambiguous cases deferred',
        'clear cases deferred',
      ],
      rows,
    ),
  );
}

function answer(
  { page }: Study,
  compared: ReadonlyMap<string, Compared>,
  { sensitivity, specificity }: { readonly sensitivity: Json; readonly specificity: Json },
): void {
  const falls = MODELS.map(
    (model) =>
      compared.get(model)!.options.comparisons.find((pair: Json) => pair.model === `${model}-multiturn`)
        .endpoints.accuracy,
  );
  const shown = falls.filter(({ interval }) => interval.upper < 0);
  const sizes = falls.map(({ difference }) => -difference);
  const known = MODELS.filter((model) => {
    const { open } = compared.get(model)!;
    return open.comparisons[0].endpoints.accuracy.interval.upper < 0;
  });
  page.part(
    'answer',
    [
      `- With options, ${page.count('falls/shown', shown.length)} of ${page.count('falls/models', falls.length)} models are shown to be right less often in a conversation than with the whole case: by ${page.share('falls/least', Math.min(...sizes)).replace(' %', '')} to ${page.share('falls/most', Math.max(...sizes)).replace(' %', '')} points. Without options the same holds for ${listed(known)}.`,
      `- The grader model finds ${page.share('grader/sensitivity/value', sensitivity.value)} of the answers that physicians call right, and ${page.share('grader/specificity/value', specificity.value)} of those that they call wrong.`,
    ].join('\n'),
  );
}
