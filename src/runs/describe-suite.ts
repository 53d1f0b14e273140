import { oneLookShare } from '../analyses/baselines/suite-baselines.ts';
import { getStratum } from '../core/patient-record.ts';
import { facts, list, paragraph, section, shown } from '../reports/document/blocks.ts';
import type { Fact } from '../reports/document/document.ts';
import { renderText } from '../reports/formats/text.ts';
import { TEXT_WIDTH } from '../reports/layout/text-width.ts';
import { inWords } from '../reports/words.ts';
import { QUESTION_SUITES } from '../suites/questions/find-question-suite.ts';
import type { QuestionSuite } from '../suites/questions/question-suite.ts';
import type { Counted, SuiteDescription } from '../suites/suite.ts';
import type { Task } from '../suites/task.ts';
import type { SuiteBaseline } from './run-result.ts';

/** A suite for a reader who wants to check it: counts with shares, where everything comes from, and what to beware of. */
export function descriptionText(
  description: SuiteDescription,
  task: Task,
  baselines: readonly SuiteBaseline[] = [],
  width = TEXT_WIDTH,
): string {
  const { nRecords, deferral, mustAct, primaryEndpoint: endpoint } = description;
  const { label: stratum } = getStratum(task);
  const counts = (title: string, rows: readonly Counted[], isShown = rows.length > 0) =>
    isShown && section({ id: title, title }, [facts(title, countFacts(rows, nRecords))]);
  const settings = (title: string, values: Readonly<Record<string, unknown>>) =>
    Object.keys(values).length > 0 &&
    section({ id: title, title }, [
      list(Object.entries(values).map(([key, value]) => `${inWords(key)}: ${value}`)),
    ]);
  const positive = task.positiveLabel === undefined ? '' : ` (positive: ${task.positiveLabel})`;
  const answers = [
    { name: 'must answer', n: deferral.mustAnswer },
    { name: 'must defer', n: deferral.mustDefer },
    { name: 'unlabelled (grey zone)', n: deferral.unlabelled },
  ];
  const emergencies = [
    { name: 'needs action today', n: mustAct.emergencies },
    { name: 'needs none today', n: mustAct.none },
    { name: 'left open, in neither rate', n: mustAct.open },
  ];
  return renderText(
    {
      summary: [
        `${description.name}: ${nRecords} cases to evaluate, ${description.nTraining} to learn from`,
        `${description.domain}; ${description.sensitivity} data; labels ${task.labels.join(', ')}${positive}`,
        `suite hash ${description.hash}`,
      ],
      sections: shown([
        counts('Labels', description.labels),
        counts(
          `${stratum[0]!.toUpperCase()}${stratum.slice(1)}`,
          description.strata,
          description.strata.some(({ name }) => name !== `${stratum} none`),
        ),
        counts('Origin', description.origins),
        leftOut(description),
        counts('Deferral', answers, deferral.mustAnswer + deferral.mustDefer > 0),
        counts('Why defer (a case may have several reasons)', deferral.reasons),
        counts('Emergencies', emergencies, mustAct.emergencies + mustAct.none > 0),
        counts('Findings in emergencies (a case may have several)', mustAct.reasons),
        counts('Findings that need treatment soon, not today', mustAct.openReasons),
        baselineSection(baselines),
        counts('Not measured', description.missing),
        section({ id: 'arms', title: 'Arms' }, [
          list(
            Object.entries(task.arms).map(
              ([arm, { instructions }]) =>
                `${arm}${arm === task.defaultArm ? ' (default)' : ''}: ${instructions}`,
            ),
          ),
        ]),
        endpoint !== null &&
          section({ id: 'endpoint', title: 'Primary endpoint' }, [
            paragraph(`Primary endpoint: ${endpoint.metric}, arm ${endpoint.arm} (${endpoint.why})`, {
              tone: 'lead',
            }),
          ]),
        settings('Settings', description.settings),
        settings('Provenance', description.provenance),
      ]),
      warnings: description.warnings,
    },
    width,
  );
}

/** Those who were generated or read and belong to neither part, with their share of all. */
function leftOut({ excluded = [], nRecords, nTraining }: SuiteDescription) {
  const rows = excluded.map(({ reason, n }) => ({ name: reason, n }));
  const all = rows.reduce((sum, { n }) => sum + n, nRecords + nTraining);
  const title = `Left out of ${all} (neither evaluated nor learned from)`;
  return rows.length > 0 && section({ id: 'left-out', title }, [facts(title, countFacts(rows, all))]);
}

/** What baselines reach, best read before any score of a model. */
function baselineSection(baselines: readonly SuiteBaseline[]) {
  const decisions = listValues(baselines, 'decision_accuracy');
  const found = decisions.length > 0 ? decisions : listValues(baselines, 'accuracy');
  if (found.length === 0) return false;
  const what = decisions.length > 0 ? 'decision accuracy' : 'accuracy';
  const title = `Baselines (${what}, n = ${found[0]!.n})`;
  const share = oneLookShare(baselines);
  return section({ id: 'baselines', title }, [
    facts(
      title,
      found.map(({ name, value }): Fact => [name, percent(value).padStart(7)]),
    ),
    ...(share === null
      ? []
      : [
          paragraph(
            `Deferring without reasoning (one-look) goes ${percent(share)} of the way from majority to guideline-defer.`,
          ),
        ]),
  ]);
}

/** A score of each baseline: no decision accuracy for a suite without deferral labels. */
function listValues(baselines: readonly SuiteBaseline[], score: 'decision_accuracy' | 'accuracy') {
  return baselines.flatMap(({ model, scores }) => {
    const { value = null, n = 0 } = scores[score] ?? {};
    return value === null ? [] : [{ name: model.replace('baseline/', ''), value, n }];
  });
}

/** The same in file form. */
export function baselinesObject(baselines: readonly SuiteBaseline[]) {
  const decisions = listValues(baselines, 'decision_accuracy');
  const found = decisions.length > 0 ? decisions : listValues(baselines, 'accuracy');
  const score = decisions.length > 0 ? 'decision_accuracy' : 'accuracy';
  return {
    baselines: Object.fromEntries(
      found.map(({ name, value, n }) => [name.replaceAll(/[ -]/g, '_'), { [score]: value, n }]),
    ),
    one_look_share: oneLookShare(baselines),
  };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Counts with their share, the numbers in columns. */
function countFacts(rows: readonly Counted[], total: number): Fact[] {
  const width = Math.max(...rows.map(({ n }) => String(n).length));
  return rows.map(({ name, n }) => {
    const share = total === 0 ? '' : `${((n / total) * 100).toFixed(1)} %`.padStart(7);
    return [name, `${String(n).padStart(width)}  ${share}`];
  });
}

/** How a suite marks a source that its authors did not open. */
const FROM_MEMORY = /\(from memory\)/;

/** A suite of open questions in its file form: counts, and each question with what it is judged by. */
export function questionSuiteObject(suite: QuestionSuite) {
  const traits = suite.questions.flatMap(({ rubric }) => rubric.metricTraits);
  const sources = suite.questions.flatMap((question) => question.sources);
  const count = (wanted: boolean | null) =>
    suite.questions.filter(({ shouldAbstain }) => shouldAbstain === wanted).length;
  return {
    name: suite.name,
    kind: 'questions',
    sensitivity: suite.sensitivity,
    suite_hash: suite.hash,
    n_questions: suite.questions.length,
    n_sources: sources.length,
    n_sources_from_memory: sources.filter((source) => FROM_MEMORY.test(source)).length,
    clinical_review: QUESTION_SUITES.some(({ name }) => name === suite.name)
      ? 'no clinician has reviewed the questions or the rubrics yet'
      : null,
    deferral: { must_defer: count(true), must_answer: count(false), unlabelled: count(null) },
    n_items: traits.reduce(
      (sum, { tpInstructions, tnInstructions }) => sum + tpInstructions.length + tnInstructions.length,
      0,
    ),
    questions: suite.questions.map(({ id, question, rubric, tags, shouldAbstain, sources }) => ({
      id,
      // Questions about patients are for the model and the judge alone.
      question: suite.sensitivity === 'protected' ? null : question,
      traits: rubric.traitNames(),
      tags,
      should_abstain: shouldAbstain,
      sources,
    })),
  };
}

/** A suite of open questions: counts, and each question with its traits and sources. */
export function questionSuiteText(suite: QuestionSuite, width = TEXT_WIDTH): string {
  const described = questionSuiteObject(suite);
  const { n_questions: n, n_items: nItems, deferral, questions, clinical_review: review } = described;
  return renderText(
    {
      summary: [
        `${suite.name}: ${n} open questions, ${nItems} items`,
        `${deferral.must_defer} should be declined, ${deferral.must_answer} answered, ${deferral.unlabelled} not labelled; ${suite.sensitivity}`,
        `suite hash ${suite.hash}`,
        ...(described.n_sources === 0
          ? []
          : [`sources: ${described.n_sources}, ${described.n_sources_from_memory} of them from memory`]),
        ...(review === null ? [] : [review]),
      ],
      sections: questions.map(({ id, question, traits, should_abstain: declined, sources }) =>
        section({ id, title: `${id}${declined ? '  (should be declined)' : ''}` }, [
          list([
            ...(question === null ? [] : [question]),
            `judged by ${traits.join(', ')}`,
            ...sources.map((source) => `source: ${source}`),
          ]),
        ]),
      ),
    },
    width,
  );
}
