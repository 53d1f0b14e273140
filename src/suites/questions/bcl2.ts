import type { QuestionSuiteInput } from './question-schema.ts';

const CORE_FACTS = [
  'Mentions BCL2 gene',
  'States that BCL2 inhibits apoptosis',
  'References cancer relevance',
  'States BCL2 is on chromosome 18',
];

/** One question, known from the description of metric traits: small enough to work the numbers out by hand. */
export const BCL2: QuestionSuiteInput = {
  name: 'open/bcl2',
  sensitivity: 'public',
  questions: [
    {
      id: 'bcl2',
      question: 'Briefly describe BCL2 and why it matters in cancer.',
      reference:
        'BCL2 is a gene on chromosome 18 whose protein inhibits apoptosis, so that cells which should die survive. In follicular lymphoma the translocation t(14;18) switches it on; this is its importance in cancer, and drugs such as venetoclax block it.',
      rubric: {
        metric_traits: [
          {
            name: 'BCL2 Coverage',
            description: 'The core facts about BCL2.',
            evaluation_mode: 'tp_only',
            metrics: ['precision', 'recall', 'f1'],
            tp_instructions: CORE_FACTS,
          },
          {
            name: 'BCL2 Accuracy',
            description: 'The core facts about BCL2, and false ones that are often stated.',
            evaluation_mode: 'full_matrix',
            metrics: ['precision', 'recall', 'specificity', 'accuracy', 'f1'],
            tp_instructions: CORE_FACTS,
            tn_instructions: ['States BCL2 is on chromosome 1', 'Claims BCL2 is pro-apoptotic'],
          },
        ],
      },
      tags: ['biology'],
      should_abstain: false,
      sources: [
        'Tsujimoto et al., Science 1984;226:1097: the gene at the breakpoint of t(14;18) (from memory)',
        'Hockenbery et al., Nature 1990;348:334: BCL2 blocks programmed cell death (from memory)',
      ],
      aliases: {
        'Mentions BCL2 gene': ['BCL2', 'BCL-2'],
        'States that BCL2 inhibits apoptosis': [
          'inhibits apoptosis',
          'anti-apoptotic',
          'antiapoptotic',
          'blocks apoptosis',
          'prevents apoptosis',
        ],
        'References cancer relevance': ['cancer', 'lymphoma', 'tumour', 'tumor'],
        'States BCL2 is on chromosome 18': ['chromosome 18', '18q21'],
        'States BCL2 is on chromosome 1': ['chromosome 1'],
        'Claims BCL2 is pro-apoptotic': ['pro-apoptotic', 'promotes apoptosis', 'induces apoptosis'],
      },
    },
  ],
};
