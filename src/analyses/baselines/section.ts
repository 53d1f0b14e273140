import type { Score } from '../../core/score.ts';
import type { Scorecard } from '../../metrics/score.ts';
import { restsOn, whole } from '../../reports/charts/number-text.ts';
import type { RiskReference } from '../../reports/charts/series-style.ts';
import { figure, numbers, paragraph, section, table } from '../../reports/document/blocks.ts';
import type { Block, Row, Section, Table } from '../../reports/document/document.ts';
import { DASH, isCounted, levelText, number, range } from '../../reports/words.ts';
import type { RunResult } from '../../runs/run-result.ts';

/** A score that leads, as a column. */
type Shown = Pick<Score, 'name' | 'label' | 'family'>;

/** The model beside rules that need no model. Null where the run file does not have their scores. */
export function baselines(
  report: Pick<RunResult, 'baselines' | 'backendName'> & {
    /** The scores of the first screen, in order. */
    readonly headlines: readonly Score[];
  },
): Section | null {
  const { baselines: rules, headlines, backendName } = report;
  if (rules.length === 0) return null;
  const columns = sharedWith(rules, headlines);
  const own = columns.find(({ family }) => family === 'correctness') ?? columns[0];
  if (own === undefined) return null;
  const { name: main, label: title } = own;
  const dots = [
    {
      group: backendName,
      n: own.nEvaluated,
      n_successes: own.nSuccesses ?? null,
      value: own.value,
      lower: own.interval?.lower ?? null,
      upper: own.interval?.upper ?? null,
    },
    ...rules.map(({ model, n, scores }) => ({
      group: ruleName(model),
      ...(scores[main] ?? { n, value: null, lower: null, upper: null }),
      n_successes: countSuccesses(scores[main]),
    })),
  ];
  return section({ id: 'baselines', title: 'Beside the baselines of the suite' }, [
    paragraph(
      `Rules that need no model, scored on ${nText(rules)} of the suite, not on the cases of this run.`,
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
    rulesTable('Model and baselines', rules, columns, [
      [backendName, ...columns.map((score) => shareCell(score, { value: score.value, n: score.nEvaluated }))],
    ]),
  ]);
}

/** The baselines, for a comparison of runs of one suite; null where no run file has them. */
export function baselineTable(
  reports: readonly Partial<Pick<RunResult, 'baselines'>>[],
  headlines: readonly Shown[],
): Table | null {
  const rules = reports.find(({ baselines: found = [] }) => found.length > 0)?.baselines ?? [];
  const columns = sharedWith(rules, headlines);
  if (columns.length === 0) return null;
  return { ...rulesTable('Baselines of the suite', rules, columns), showCaption: true };
}

function rulesTable(
  caption: string,
  rules: RunResult['baselines'],
  columns: readonly Shown[],
  before: readonly Row[] = [],
): Table {
  return table(
    caption,
    ['model', ...numbers(...columns.map(({ label }) => label))],
    [
      ...before,
      ...rules.map(({ model, scores }) => [
        ruleName(model),
        ...columns.map((column) => shareCell(column, scores[column.name])),
      ]),
    ],
    { layout: 'wide' },
  );
}

/** The scores that some rule has too. */
function sharedWith<S extends Shown>(rules: RunResult['baselines'], headlines: readonly S[]): S[] {
  return headlines.filter(({ name }) => rules.some(({ scores }) => scores[name]?.value != null));
}

/** A share with its own n: counts for harms and costs, a value for anything else. */
function shareCell(
  { family }: Pick<Shown, 'family'>,
  score: { readonly value: number | null; readonly n: number } | undefined,
): string {
  if (score?.value == null) return DASH;
  const successes = Math.round(score.value * score.n);
  return isCounted({ family, nSuccesses: successes })
    ? restsOn(successes, score.n)
    : `${number(score.value)} (n = ${whole(score.n)})`;
}

/** The numerator of a share. */
function countSuccesses(score: RunResult['baselines'][number]['scores'][string] | undefined): number | null {
  return score?.value == null ? null : Math.round(score.value * score.n);
}

function ruleName(model: string): string {
  return model.replace('baseline/', '');
}

/** The baselines as points beside a risk-coverage curve, by strict risk as the curve. A rule that answers nothing has no risk. */
export function riskReferences({ baselines: rules }: Pick<RunResult, 'baselines'>): RiskReference[] {
  return rules.flatMap(({ model, scores }) => {
    const coverage = scores.answer_rate?.value ?? null;
    const right = scores.selective_accuracy_strict?.value ?? null;
    return coverage === null || right === null ? [] : [{ name: model, coverage, risk: 1 - right }];
  });
}

function nText(rules: RunResult['baselines']): string {
  const most = Math.max(...rules.map(({ n }) => n));
  return most === 1 ? 'the one case' : `${whole(most)} cases`;
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
  const units = decisions === null ? 'scored cases' : 'cases with a deferral label';
  const shown = differences.flatMap(({ discordant, difference }) =>
    difference === null
      ? []
      : [`${(100 * difference).toFixed(1)} points if the two disagree on ${toPercent(discordant)}`],
  );
  const missed = differences.filter(({ difference }) => difference === null);
  const none = missed.map(({ discordant }) => toPercent(discordant)).at(-1);
  const found =
    shown.length === 0
      ? `are too few to show any difference in ${what} from a model that disagrees on ${none} of them or less`
      : `can show a difference in ${what} from another model of ${shown.join(', or ')}${none === undefined ? '' : `, and none if they disagree on ${none}`}`;
  return [
    paragraph(
      `Sample size: ${whole(n)} ${units} ${found} (paired test at ${levelText(1 - card.method.level)}, power ${toPercent(power)}).`,
      { tone: 'small' },
    ),
  ];
}

function toPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
