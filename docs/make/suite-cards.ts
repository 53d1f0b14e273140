import { DOMAINS } from '../../src/domains/domains.ts';
import { questionSuiteObject } from '../../src/runs/describe-suite.ts';
import { findQuestionSuite, QUESTION_SUITES } from '../../src/suites/questions/find-question-suite.ts';
import type { SuiteDescription } from '../../src/suites/suite.ts';
import { code, NOTE, sentence, table } from './markdown.ts';

/** What each built-in suite is made of, from its own declaration. */
export async function suiteCardsPage(): Promise<string> {
  const domains = await Promise.all(DOMAINS.map(domainCard));
  const questions = await Promise.all(QUESTION_SUITES.map(questionsCard));
  return [
    '# Suite cards',
    '',
    NOTE,
    '',
    'What each built-in suite holds, where it comes from, and what it does not allow. `krisis check SUITE` prints the same with every count; reports of runs repeat it. No clinician has reviewed these suites yet.',
    ...domains.flat(),
    ...questions.flat(),
    '',
  ].join('\n');
}

async function domainCard(domain: (typeof DOMAINS)[number]): Promise<string[]> {
  const described = await Promise.all(
    Object.keys(domain.tasks).map(async (task) => ({
      name: `${domain.name}/${task}`,
      description: await (await domain.create(task, {})).describe(),
    })),
  );
  const common = described[0]!.description.provenance;
  const warnings = [...new Set(described.flatMap(({ description }) => description.warnings))];
  return [
    '',
    `## ${described[0]!.description.domain}`,
    '',
    ...table(
      ['suite', 'cases', 'labels', 'must answer', 'must defer', 'no deferral label', 'emergencies'],
      described.map(({ name, description }) => [code(name), ...counts(description)]),
    ),
    '',
    ...table(
      ['', ''],
      [
        ...Object.entries(common).map(([key, text]) => [key.replaceAll('_', ' '), sentence(text)]),
        ...(warnings.length === 0 ? [] : [['limits', warnings.map(sentence).join(' ')]]),
      ],
    ),
  ];
}

function counts({ nRecords, labels, deferral, mustAct }: SuiteDescription): string[] {
  return [
    String(nRecords),
    labels.map(({ name, n }) => `${name}: ${n}`).join(', '),
    ...[deferral.mustAnswer, deferral.mustDefer, deferral.unlabelled, mustAct.emergencies].map(String),
  ];
}

async function questionsCard({ name, summary }: (typeof QUESTION_SUITES)[number]): Promise<string[]> {
  const suite = questionSuiteObject(await findQuestionSuite(name));
  const { n_questions: n, n_items: items, deferral } = suite;
  const sources = `${suite.n_sources}, of which ${suite.n_sources_from_memory} are from memory and marked so`;
  return [
    '',
    `## ${name}`,
    '',
    ...table(
      ['', ''],
      [
        ['what', sentence(summary)],
        ['questions', `${n}, with ${items} items; ${deferral.must_defer} should be declined`],
        ['data', `${suite.sensitivity}, written by the authors of Krisis`],
        ['sources', sources],
        ...(suite.clinical_review === null ? [] : [['clinical review', sentence(suite.clinical_review)]]),
      ],
    ),
  ];
}
