import { isJudged } from '../../analyses/judging/judged-result.ts';
import type { Score } from '../../core/score.ts';
import { inWords, levelText } from '../../reports/words.ts';
import { xmlText } from '../../reports/xml-text.ts';
import { methodText } from '../method-text.ts';
import type { RunResult } from '../run-result.ts';
import { answerItem } from '../sections/checklist.ts';
import { headlineScores } from '../sections/headline-scores.ts';
import { verificationAlert } from '../unproven-file.ts';

const NAMESPACE = 'https://mc.chai.org/v0.2/schema.xsd';

/** An element: its name, and its text or the elements in it. */
type Element = readonly [name: string, content: string | readonly Element[]];

/** What a run cannot say. */
function author(what: string): string {
  return `To be written by the author: ${what}`;
}

/** What the run says, and what is left to the author. */
function partly(answer: string | null, what: string): string {
  return answer === null ? author(what) : `${answer}. ${author(what)}`;
}

/**
 * A CHAI Applied Model Card, version 0.2, as XML. What the run measured is filled in. Everything else says what the author must write: nothing is stated that the run does not say.
 */
export function chaiCard(run: RunResult): string {
  const card: Element = [
    'AppliedModelCard',
    [
      ['BasicInfo', basicInfo(run)],
      ['ReleaseInfo', RELEASE],
      [
        'ModelSummary',
        [
          ['Summary', summary(run)],
          ['Keywords', [['Keyword', run.suiteName]]],
        ],
      ],
      ['UsesAndDirections', uses(run)],
      ['Warnings', warnings(run)],
      [
        'TrustIngredients',
        [
          ['AISystemFacts', systemFacts(run)],
          ['TransparencyInformation', TRANSPARENCY],
        ],
      ],
      ['KeyMetrics', keyMetrics(run)],
      ['Resources', RESOURCES],
      ['Bibliography', author('the references of this card')],
    ],
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml(card, '', ` xmlns="${NAMESPACE}"`)}`;
}

function basicInfo({ backendName }: RunResult): Element[] {
  return [
    ['ModelName', backendName],
    ['ModelDeveloper', author('who develops the solution that the model is part of')],
    ['DeveloperContact', author('how to reach them')],
  ];
}

const RELEASE: readonly Element[] = [
  ['ReleaseStage', author('research, pilot or in use')],
  ['ReleaseDate', author('when this version was or will be released')],
  ['ReleaseVersion', author('the version of the solution')],
  ['GlobalAvailability', author('where it may be used')],
];

const TRANSPARENCY: readonly Element[] = [
  ['FundingSource', author('who paid for development and for this evaluation')],
  ['StakeholdersConsulted', author('which patients, clinicians and others were asked')],
];

const RESOURCES: readonly Element[] = [
  ['PeerReviewedPublications', author('publications about the solution, or that there are none')],
  ['PatientConsentOrDisclosure', author('what patients are told, and whether they consent')],
];

function summary(run: RunResult): string {
  const parts = run.extras.simulated ? ' The model is simulated: nothing here is about a real one.' : '';
  const proof = verificationAlert(run);
  return `Evaluation of ${run.backendName} on ${run.suiteName}, ${run.nRecords} cases, ${inWords(run.status)}.${parts}${proof === null ? '' : ` ${proof}`} ${author('what the solution does and for whom')}`;
}

function uses(run: RunResult): Element[] {
  return [
    ['IntendedUseAndWorkflow', partly(answerItem('intended_use', run), 'the place of the solution in care')],
    ['PrimaryIntendedUsers', author('who uses it, and what they have to know')],
    ['HowToUse', author('how it is used, and under whose oversight')],
    ['TargetedPatientPopulation', partly(answerItem('population', run), 'the patients it is meant for')],
    ['CautionedOutOfScopeSettings', author('where it must not be used')],
  ];
}

function warnings(run: RunResult): Element[] {
  const named = run.warnings.map(({ message }) => message).join(' ');
  return [
    [
      'KnownRisksAndLimitations',
      partly(named === '' ? null : named.replace(/\.$/, ''), 'risks that this evaluation cannot show'),
    ],
    [
      'KnownBiasesOrEthicalConsiderations',
      partly(answerItem('subgroups', run), 'known biases and ethical questions'),
    ],
    ['ClinicalRiskLevel', author('the level of risk in its use')],
  ];
}

function systemFacts(run: RunResult): Element[] {
  const { task } = run;
  const labels =
    task === null || task.labels.length === 0 ? null : `One of ${task.labels.join(', ')}, or a deferral`;
  return [
    ['OutcomesAndOutputs', partly(labels, 'what the outputs are used for')],
    ['ModelType', author('the kind of model')],
    ['FoundationModels', partly(answerItem('model', run), 'its exact version')],
    ['InputDataSource', partly(answerItem('source', run), 'where inputs come from in use')],
    ['OutputAndInputDataTypes', author('the kinds of data that go in and come out')],
    [
      'DevelopmentDataCharacterization',
      author('the data that the model was developed on; this run knows the evaluation only'),
    ],
    ['BiasMitigationApproaches', author('what was done against bias')],
    ['OngoingMaintenance', author('how it is watched and updated')],
  ];
}

function keyMetrics(run: RunResult): Element[] {
  const harms = run.metricScores.filter(({ facts }) => facts?.harm);
  const leading = isJudged(run)
    ? run.metricScores
    : headlineScores(run.card.scores, run.primaryEndpoint?.metric ?? null).filter(
        ({ facts }) => !facts?.harm,
      );
  const about = (of: string): Element[] => [
    [
      'Interpretation',
      partly(
        `Values with ${levelText(run.method.level)} intervals; ${methodText(run)}`.replace(/\.$/, ''),
        `what ${of} mean for the intended use`,
      ),
    ],
    [
      'TestType',
      `Evaluation on a fixed set of cases${run.repeats > 1 ? `, each asked ${run.repeats} times` : ''}, without patients or users`,
    ],
    [
      'TestingDataDescription',
      partly(answerItem('size', run), 'how the cases compare with the patients it is meant for'),
    ],
    [
      'ValidationProcessAndJustification',
      partly(answerItem('reference_standard', run), 'why this test suffices, and who checked it'),
    ],
  ];
  const part = (name: string, goal: string, results: readonly Element[], of: string): Element => [
    name,
    [['MetricGoal', author(goal)], ['Results', results], ...about(of)],
  ];
  return [
    part(
      'UsefulnessUsabilityEfficacy',
      'what value would be good enough',
      scoreResults(leading),
      'these values',
    ),
    part(
      'FairnessEquity',
      'which difference between groups would be acceptable',
      groupResults(run),
      'differences between groups',
    ),
    part('SafetyReliability', 'which share of harm would be acceptable', scoreResults(harms), 'these harms'),
  ];
}

function scoreResults(scores: readonly Score[]): Element[] {
  const results = scores.map(({ label, value, interval, nEvaluated }) =>
    metricResult(label, nEvaluated, { value, interval }),
  );
  return results.length === 0
    ? [metricResult('not measured by this run', 0, { value: null, interval: null })]
    : results;
}

function groupResults({ groups }: RunResult): Element[] {
  const results = groups.flatMap(({ by, metric, groups: parts }) =>
    parts.map(({ group, value, interval, n }) =>
      metricResult(`${inWords(metric)}, ${by} ${group}`, n, { value, interval }),
    ),
  );
  return results.length === 0
    ? [metricResult('no groups were compared (krisis report --group-by)', 0, { value: null, interval: null })]
    : results;
}

/** One value in the JSON that published cards have: an estimate with its interval, or a single value. */
function metricResult(
  label: string,
  n: number,
  { value, interval }: Pick<Score, 'value' | 'interval'>,
): Element {
  const found =
    value !== null && interval !== null
      ? {
          kind: 'estimate_ci',
          estimate: value,
          lower: interval.lower,
          upper: interval.upper,
          level: interval.level,
        }
      : { kind: 'single', value };
  return [
    'MetricResult',
    [
      ['Label', n === 0 ? label : `${label} (n = ${n})`],
      ['ValueJson', JSON.stringify(found)],
    ],
  ];
}

function xml([name, content]: Element, indent: string, attributes = ''): string {
  const open = `${indent}<${name}${attributes}>`;
  if (typeof content === 'string') return `${open}${xmlText(content)}</${name}>\n`;
  return `${open}\n${content.map((child) => xml(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}
