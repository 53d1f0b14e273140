import type { Scorecard } from '../../metrics/index.ts';
import type { RunResult } from '../../results/index.ts';
import { restsOn, whole } from '../charts/number-text.ts';
import type { RiskReference } from '../charts/series-style.ts';
import { figure, numbers, paragraph, section, table } from '../document/blocks.ts';
import type { Block, Row, Section, Table } from '../document/document.ts';
import { shownScore } from '../headline-names.ts';
import { levelText, number, range, scoreOf } from '../words.ts';

/** What is compared, where the suite has it. */
const COLUMNS: Readonly<Record<string, string>> = {
  decision_accuracy: 'decision accuracy',
  answerable_accuracy: 'answerable',
  accuracy: 'accuracy',
  usable_answer_rate: 'usable answers',
  deferral_recall: 'deferral recall',
};

/** The model beside rules that need no model. Null where the run file does not have their scores. */
export function baselines(
  report: Pick<RunResult, 'baselines' | 'backendName'> & {
    readonly card: Pick<Scorecard, 'scores' | 'nScored'>;
  },
): Section | null {
  const { baselines: rules, card, backendName } = report;
  if (rules.length === 0) return null;
  const shownMetrics = metricsOf(rules);
  const [[main, title] = ['accuracy', 'accuracy']] = shownMetrics;
  const own = scoreOf(card, main);
  const dots = [
    {
      group: backendName,
      n: own?.nEvaluated ?? 0,
      n_successes: own?.nSuccesses ?? null,
      value: own?.value ?? null,
      lower: own?.interval?.lower ?? null,
      upper: own?.interval?.upper ?? null,
    },
    ...rules.map(({ model, n, scores }) => ({
      group: ruleName(model),
      ...(scores[main] ?? { n, value: null, lower: null, upper: null }),
      n_successes: successesOf(scores[main]),
    })),
  ];
  return section({ id: 'baselines', title: 'Beside the baselines of the suite' }, [
    paragraph(
      `Rules that need no model, scored on ${nText(rules)} of the suite, not on the rows of this run.`,
      { except: ['text'] },
    ),
    {
      ...figure(
        { chart: 'dots', data: { title, dots, overall: null } },
        'With intervals. A model that does no better than the rules adds nothing to them.',
        table(
          title,
          ['model', ...numbers('value', 'interval', 'n')],
          dots.map(({ group, value, lower, upper, n, n_successes: successes }) => [
            group,
            number(value),
            range({ lower, upper }),
            restsOn(successes, n),
          ]),
        ),
        true,
      ),
      except: ['text', 'md'],
    },
    rulesTable('Model and baselines', rules, [
      [
        backendName,
        ...shownMetrics.map(([metric]) => number(shownScore(card.scores, metric)?.value)),
        whole(card.nScored),
      ],
    ]),
  ]);
}

/** The baselines, for a comparison of runs of one suite; null where no run file has them. */
export function baselineTable(reports: readonly Partial<Pick<RunResult, 'baselines'>>[]): Table | null {
  const rules = reports.find(({ baselines: found = [] }) => found.length > 0)?.baselines ?? [];
  return rules.length === 0 ? null : { ...rulesTable('Baselines of the suite', rules), showCaption: true };
}

function rulesTable(caption: string, rules: RunResult['baselines'], before: readonly Row[] = []): Table {
  const metrics = metricsOf(rules);
  return table(
    caption,
    ['model', ...numbers(...metrics.map(([, name]) => name), 'n')],
    [
      ...before,
      ...rules.map(({ model, n, scores }) => [
        ruleName(model),
        ...metrics.map(([metric]) => number(ruleScore(scores, metric)?.value)),
        whole(n),
      ]),
    ],
    { layout: 'wide' },
  );
}

/** The columns that apply. Accuracy over all rows counts every right deferral as a mistake: it is shown where there is nothing better. */
function metricsOf(rules: RunResult['baselines']): [metric: string, title: string][] {
  const has = (metric: string) => rules.some(({ scores }) => ruleScore(scores, metric)?.value != null);
  return Object.entries(COLUMNS).filter(
    ([metric]) => has(metric) && !(metric === 'accuracy' && has('answerable_accuracy')),
  );
}

/** A score of a rule; runs of older versions have the answer rate of their rules, and rules give no invalid replies. */
function ruleScore(scores: RunResult['baselines'][number]['scores'], metric: string) {
  return scores[metric] ?? (metric === 'usable_answer_rate' ? scores.answer_rate : undefined);
}

/** The numerator of a share. */
function successesOf(score: RunResult['baselines'][number]['scores'][string] | undefined): number | null {
  return score?.value == null ? null : Math.round(score.value * score.n);
}

function ruleName(model: string): string {
  return model.replace('baseline/', '');
}

/** The baselines as points beside a risk-coverage curve. A rule that answers nothing has no risk. */
export function riskReferences({ baselines: rules }: Pick<RunResult, 'baselines'>): RiskReference[] {
  return rules.flatMap(({ model, scores }) => {
    const coverage = scores.answer_rate?.value ?? null;
    const right = scores.selective_accuracy?.value ?? null;
    return coverage === null || right === null ? [] : [{ name: model, coverage, risk: 1 - right }];
  });
}

function nText(rules: RunResult['baselines']): string {
  const most = Math.max(...rules.map(({ n }) => n));
  return most === 1 ? 'the one record' : `${whole(most)} records`;
}

/** What difference from another model this many records could have shown. */
export function sampleSize({
  detectable,
  decisions,
  card,
}: Pick<RunResult, 'detectable' | 'decisions'> & {
  readonly card: { readonly method: Pick<Scorecard['method'], 'level'> };
}): Block[] {
  if (detectable === null) return [];
  const what = decisions === null ? 'accuracy' : 'decision accuracy';
  const { n, power, differences } = detectable;
  const units = decisions === null ? 'scored records' : 'records with a deferral label';
  const shown = differences.flatMap(({ discordant, difference }) =>
    difference === null
      ? []
      : [`${(100 * difference).toFixed(1)} points if the two disagree on ${percentOf(discordant)}`],
  );
  const missed = differences.filter(({ difference }) => difference === null);
  const none = missed.map(({ discordant }) => percentOf(discordant)).at(-1);
  const found =
    shown.length === 0
      ? `are too few to show any difference in ${what} from a model that disagrees on ${none} of them or less`
      : `can show a difference in ${what} from another model of ${shown.join(', or ')}${none === undefined ? '' : `, and none if they disagree on ${none}`}`;
  return [
    paragraph(
      `Sample size: ${whole(n)} ${units} ${found} (paired test at ${levelText(1 - card.method.level)}, power ${percentOf(power)}).`,
      { tone: 'small' },
    ),
  ];
}

function percentOf(share: number): string {
  return `${Math.round(share * 100)} %`;
}
