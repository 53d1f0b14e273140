import { isHarmWarning, type Warning } from '../../metrics/warning.ts';
import { code, muted, paragraph, section, shown } from '../../reports/document/blocks.ts';
import type { Fact, Inline, ReportDocument } from '../../reports/document/document.ts';
import { levelText } from '../../reports/words.ts';
import type { ReportOptions } from '../../runs/report-options.ts';
import { overlaidCharts } from '../../runs/sections/confidence.ts';
import { gates } from '../../runs/sections/gates.ts';
import { headlineScores } from '../../runs/sections/headline-scores.ts';
import { askedSections } from '../asked-analyses.ts';
import { baselineTable } from '../baselines/section.ts';
import type { Comparison } from './comparison.ts';
import { FILE_NOT_VERIFIED } from './comparison-warnings.ts';
import { evidenceSection } from './evidence-section.ts';
import { modelTables, questionModelNote, questionModelTables } from './models-section.ts';
import { againstSection, pairSection } from './pairs-section.ts';

/** Models side by side, then each against the baseline. */
export function comparisonDocument(
  comparison: Comparison,
  { verdicts = [], reports = [] }: ReportOptions = {},
): ReportDocument {
  const { models, suiteName, warnings, method, primaryEndpoint, suiteHashes: hashes } = comparison;
  const kind = KINDS[comparison.kind];
  const endpoint = primaryEndpoint === null ? '' : `primary endpoint: ${primaryEndpoint.metric}; `;
  return {
    title: `${models.length} models on ${suiteName}`,
    summary: [
      `${suiteName}: ${models.length} models (${endpoint}${levelText(method.level)} intervals; in the order given)`,
      ...(hashes.length === 0 ? [] : [`suite hash ${hashes.join(', ')}`]),
    ],
    badges: warnings
      .filter(({ code: name }) => name === FILE_NOT_VERIFIED)
      .slice(0, 1)
      .map(() => ({ tone: 'bad', text: 'a run file is not verified' })),
    facts: [...kind.facts(comparison), hashFact(hashes)],
    alerts: warnings.filter(isAlert).map(({ message }) => message),
    warnings: [
      ...warnings.filter((warning) => !isAlert(warning)).map(({ message }) => message),
      ...comparison.notPaired.map(({ model, message }) => `${model} is in the table only: ${message}.`),
    ],
    sections: shown([
      section({ id: 'models', title: 'Models side by side' }, [
        paragraph(
          'In the order given. Round brackets hold the interval, square brackets the values that unscored cases or items could have led to.',
          { except: ['text'] },
        ),
        ...kind.tables(comparison),
        // Those of different suites cannot be one line to read all models against.
        hashes.length === 1 && baselineTable(reports, headlineScores(models[0]?.scores ?? [], null)),
      ]),
      evidenceSection(models, reports),
      gates(verdicts),
      againstSection(comparison),
      ...comparison.pairs.map((pair, i) => pairSection(pair, i, { primaryEndpoint, level: method.level })),
      !kind.hasCurves || reports.length === 0
        ? null
        : overlaidCharts(
            models.map(({ name }, m) => ({ name, figures: reports[m]!.figures })),
            comparison.recordSets,
          ),
      ...askedSections(comparison.analyses),
      section({ id: 'method', title: 'Method' }, [
        paragraph(
          comparison.pairs.length === 0
            ? 'No two runs can be paired, so there is no comparison.'
            : describeMethod(comparison),
        ),
      ]),
    ]),
    footer:
      'Made by Krisis. A comparison of models on a benchmark: not a medical device, not a clinical study, and no advice for any patient.',
  };
}

/** What comes before every number. */
function isAlert(warning: Warning): boolean {
  return warning.code === FILE_NOT_VERIFIED || isHarmWarning(warning);
}

/** What a document says of runs of each kind of task. */
const KINDS: Readonly<Record<Comparison['kind'], ComparedKind>> = {
  labels: {
    tables: ({ models }) => modelTables(models),
    facts: modelFacts,
    hasCurves: true,
    method: ({ level, drawn }) => [
      'Differences are model minus baseline, on the same cases.',
      `Intervals: ${level} score interval (Tango) for paired shares, BCa bootstrap over cases for the others (${drawn}).`,
      'Tests: exact McNemar for scores of 0 or 1, sign-flip permutation for the others, Holm over the models within each endpoint; scores that are not means over cases have an interval only, which is not adjusted.',
    ],
    observed: 'disagreement',
  },
  text: {
    tables: questionModelTables,
    facts: ({ models, baseline }) =>
      models.map((model) => [
        model.name === baseline ? 'Baseline' : 'Model',
        [code(model.name), ' ', muted(questionModelNote(model))],
      ]),
    hasCurves: false,
    method: ({ level, drawn, nTests }) => [
      'Differences are model minus baseline, means over the questions that have a value in both runs, by the items that both have scored.',
      `Intervals: ${level} score interval (Tango) for paired shares of questions, BCa bootstrap over questions for the others (${drawn}), not adjusted.`,
      `Tests: sign-flip permutation over questions, Holm over all ${nTests} tests of this comparison.`,
    ],
    observed: 'spread',
  },
};

interface ComparedKind {
  tables(comparison: Comparison): ReturnType<typeof modelTables>;
  facts(comparison: Comparison): Fact[];
  readonly hasCurves: boolean;
  method(words: { readonly level: string; readonly drawn: string; readonly nTests: number }): string[];
  /** What the detectable differences rest on. */
  readonly observed: string;
}

function modelFacts({ models, baseline, primaryEndpoint: endpoint }: Comparison): Fact[] {
  return [
    ['Models', models.map(({ name }, i): Inline => [i === 0 ? '' : ', ', code(name)])],
    ['Baseline', baseline === null ? 'none: no two runs can be paired' : code(baseline)],
    [
      'Primary endpoint',
      endpoint === null ? 'not stated' : `${endpoint.metric}, arm ${endpoint.arm} (${endpoint.why})`,
    ],
  ];
}

function hashFact(hashes: readonly string[]): Fact {
  return [
    hashes.length > 1 ? 'Suite hashes' : 'Suite hash',
    hashes.length === 0 ? 'not known' : code(hashes.join(', ')),
  ];
}

/** How models were compared, in a few sentences for a paper. */
function describeMethod(comparison: Comparison): string {
  const { level, resamples, seed, generator, power, nTests } = comparison.method;
  const { method, observed } = KINDS[comparison.kind];
  const drawn = `${resamples} resamples, seed ${seed}, ${generator}`;
  return [
    ...method({ level: levelText(level), drawn, nTests }),
    `Detectable differences: power ${Math.round(power * 100)} % at the observed ${observed}.`,
  ].join(' ');
}
