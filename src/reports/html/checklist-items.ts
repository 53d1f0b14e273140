import type { RunReport } from '../../results/index.ts';
import { percent, rowsOf, whole } from '../charts/index.ts';
import { dateText } from './report-header.ts';
import { pairs } from './value-text.ts';
import { costText, inWords, levelText, number, range, scoreOf } from './words.ts';

interface ChecklistItem {
  readonly asks: string;
  /** What the run's own data say to it; null where they say nothing. */
  readonly fromRun: (report: RunReport) => string | null;
  /** What only the authors can say; null where nothing is left. */
  readonly authors: string | null;
}

const nothing = () => null;
/** Counts of a run that came without rows are not known, not zero. */
const withRows =
  (text: ChecklistItem['fromRun']): ChecklistItem['fromRun'] =>
  (report) =>
    report.figures === null ? null : text(report);

/**
 * What a careful reader of an evaluation of a language model asks, after the guidelines for reporting it (TRIPOD-LLM, STARD-AI), in words of our own and without their numbering. Answers
 * come from the run's data, or are left to the authors: nothing is filled in that the data do not say.
 */
export const CHECKLIST: readonly (readonly [topic: string, items: readonly ChecklistItem[]])[] = [
  [
    'Purpose',
    [
      {
        asks: 'Title and abstract name the model, the task and the population',
        fromRun: ({ backendName, task }) => `model ${backendName}${task === null ? '' : `, task ${task.id}`}`,
        authors: 'the wording, and the population meant',
      },
      {
        asks: 'Intended use, users and place in care; uses that are excluded',
        fromRun: (report) => provenanceText(report, ['intended_use', 'excluded_use']),
        authors: 'who would use it, where, and under whose oversight',
      },
      {
        asks: 'Protocol, registration, funding and conflicts of interest',
        fromRun: nothing,
        authors: 'all of it',
      },
    ],
  ],
  [
    'Data',
    [
      {
        asks: 'Source of the records, dates, licence',
        fromRun: (report) => provenanceText(report, ['source', 'dates', 'licence', 'license', 'statistics']),
        authors: 'what is missing here',
      },
      {
        asks: 'Population and setting, inclusion and exclusion',
        fromRun: (report) => provenanceText(report, ['population', 'setting']),
        authors: 'how it compares with the population of intended use',
      },
      {
        asks: 'Reference standard: who or what says which answer is right',
        fromRun: (report) => provenanceText(report, ['reference_standard']),
        authors: 'its known errors, and who was blinded to what',
      },
      {
        asks: 'Number of records and of each class',
        fromRun: ({ suite, card }) => {
          const labels = countsText(suite.labels);
          return joined([card.n === 0 ? null : rowsOf(card.n), labels]);
        },
        authors: 'the reasoning behind the sample size',
      },
      {
        asks: 'Missing and implausible values, and what the model was shown of them',
        fromRun: ({ suite }) => {
          const counts = countsText(suite.not_measured);
          const setting = typeof suite.missing === 'string' ? `setting: ${suite.missing}` : null;
          return joined([counts === null ? null : `not measured: ${counts}`, setting]);
        },
        authors: 'why values are missing',
      },
      {
        asks: 'Parts kept for learning and for evaluation; the records are frozen',
        fromRun: ({ suite, suiteHash }) =>
          joined([
            typeof suite.n_training_records === 'number'
              ? `${whole(suite.n_training_records)} records to learn from are kept apart`
              : null,
            suiteHash === null ? null : `records frozen under SHA-256 ${suiteHash}`,
          ]),
        authors: 'whether anybody saw the evaluation records before',
      },
      {
        asks: 'Overlap of the records with what the model was trained on',
        fromRun: nothing,
        authors: 'not assessed by this run: a contamination probe, or say that there is none',
      },
      {
        asks: 'Ethics, consent and protection of the data',
        fromRun: ({ sensitivity, egress }) =>
          joined([
            sensitivity === null ? null : `data marked as ${sensitivity}`,
            egress === null ? null : `questions went to ${egress.host ?? egress.provider ?? 'a provider'}`,
          ]),
        authors: 'approval and agreements',
      },
    ],
  ],
  [
    'Model and prompts',
    [
      {
        asks: 'Model: provider, exact version, date of access',
        fromRun: ({ backendName, extras, createdAt }) =>
          joined([
            backendName,
            extras.model_ids.length === 0 ? null : `named by the provider: ${extras.model_ids.join(', ')}`,
            createdAt === null ? null : `started ${dateText(createdAt)}`,
            extras.simulated ? 'a simulated model: no claim about a real one can rest on it' : null,
          ]),
        authors: 'training data, cut-off date and adaptation, as far as known',
      },
      {
        asks: 'Parameters that shape a reply',
        fromRun: ({ parameters }) => (Object.keys(parameters).length === 0 ? null : pairs(parameters)),
        authors: "what was left at the provider's default",
      },
      {
        asks: 'Full text of the prompts',
        fromRun: ({ extras, arm }) =>
          extras.prompt_templates.length === 0
            ? null
            : `${extras.prompt_templates.length} ${extras.prompt_templates.length === 1 ? 'template' : 'templates'} in this report, patient data redacted${arm === null ? '' : `; arm ${arm}`}`,
        authors: null,
      },
      {
        asks: 'How the prompts came about, and how many were tried before',
        fromRun: nothing,
        authors: 'all of it',
      },
      {
        asks: 'Records in a prompt, and how often each was asked',
        fromRun: ({ extras, repeats }) =>
          joined([
            extras.batch_size === null ? null : `${extras.batch_size} a call`,
            `asked ${repeats === 1 ? 'once' : `${repeats} times`}`,
          ]),
        authors: null,
      },
      {
        asks: 'How confidence was asked for, and what became of replies without it',
        fromRun: withRows(
          ({ card }) =>
            `answers without a confidence: ${whole(card.nMissingConfidence)}; outside 0 to 1: ${whole(card.nInvalidConfidence)} (${card.method.confidence_policy === 'clip' ? 'clipped' : 'treated as missing'})`,
        ),
        authors: 'the definition given to the model is in the prompt: describe it',
      },
    ],
  ],
  [
    'Handling of replies',
    [
      {
        asks: 'From reply to answer: schema, parsing, repairs',
        fromRun: withRows(({ card: { ledger }, extras }) =>
          joined([
            `invalid ${whole(ledger.invalid)}, refused ${whole(ledger.refused)}, both counted as wrong`,
            extras.n_repaired === null ? null : `replies mended: ${whole(extras.n_repaired)}`,
          ]),
        ),
        authors: null,
      },
      {
        asks: 'Indeterminate results: abstentions are counted and shown',
        fromRun: withRows(
          ({ card }) =>
            `${whole(card.ledger.abstained)} abstained${card.nScored === 0 ? '' : ` (${percent(card.ledger.abstained / card.nScored)} of scored rows)`}; every score says how many rows it rests on`,
        ),
        authors: null,
      },
      {
        asks: 'Rows lost to failures of the instrument',
        fromRun: withRows(
          ({ card, status }) =>
            `${rowsOf(card.n - card.nScored)} failed or never ran; run ${inWords(status)}`,
        ),
        authors: null,
      },
    ],
  ],
  [
    'Evaluation',
    [
      {
        asks: 'One primary endpoint, named before',
        fromRun: ({ primaryEndpoint }) =>
          primaryEndpoint === null
            ? null
            : `${primaryEndpoint.metric}, arm ${primaryEndpoint.arm}: ${primaryEndpoint.why}`,
        authors: 'when it was fixed, and whether it was changed',
      },
      {
        asks: 'Measures that fit the task, with uncertainty',
        fromRun: withRows(
          ({ card: { scores, method } }) =>
            `${scores.length} measures with ${levelText(method.level)} intervals where there is one, method and n`,
        ),
        authors: null,
      },
      {
        asks: 'Calibration, against what chance alone shows',
        fromRun: ({ card }) => scoreText(card, 'expected_calibration_error'),
        authors: null,
      },
      {
        asks: 'Harm: answers that were wrong, answers where deferring was called for',
        fromRun: ({ card }) =>
          joined([scoreText(card, 'unsafe_answer_rate'), scoreText(card, 'deferral_cost_normalised')]),
        authors: 'a review of errors by a clinician, by harm',
      },
      {
        asks: 'Subgroups and fairness',
        fromRun: ({ card }) => {
          const keys = [...new Set(card.subgroups.map(({ by }) => by))];
          return keys.length === 0 ? null : `compared by ${keys.join(', ')}, with n and intervals`;
        },
        authors: 'which were planned before, and how the attributes were recorded',
      },
      {
        asks: 'Comparison with simple rules, other models or people',
        fromRun: nothing,
        authors: 'all of it (baseline runs and krisis compare help)',
      },
      {
        asks: 'Variation of replies from run to run',
        fromRun: ({ repeats }) => (repeats > 1 ? `each record asked ${repeats} times` : null),
        authors: 'whether one answer a record is enough',
      },
    ],
  ],
  [
    'Openness and limits',
    [
      {
        asks: 'Software, seeds and what is needed to repeat the analysis',
        fromRun: ({ krisisVersion, seed, card: { method }, figures }) =>
          joined([
            krisisVersion === null ? null : `Krisis ${krisisVersion}`,
            seed === null ? null : `suite seed ${seed}`,
            figures === null ? null : `intervals from ${method.generator}, seed ${method.seed}`,
          ]),
        authors: null,
      },
      {
        asks: 'Raw replies available for checking',
        fromRun: ({ figures, path }) =>
          figures === null
            ? null
            : path === null
              ? null
              : 'the run file holds every row, and the reply as far as the protection of the data allows',
        authors: 'where they can be had',
      },
      {
        asks: 'Computing time and cost',
        fromRun: ({ extras }) =>
          joined([
            extras.token_total === null ? null : `${whole(extras.token_total)} tokens`,
            extras.cost_usd === null ? null : costText(extras.cost_usd),
            extras.elapsed_seconds === null ? null : `${extras.elapsed_seconds.toFixed(1)} s`,
          ]),
        authors: null,
      },
      {
        asks: 'What the result does not show',
        fromRun: ({ warnings }) =>
          warnings.length === 0 ? null : `${warnings.length} warnings stand at the head of this report`,
        authors: 'limits in the setting of use; a benchmark is not a clinical study',
      },
    ],
  ],
];

function joined(parts: readonly (string | null)[]): string | null {
  const said = parts.filter((part) => part !== null);
  return said.length === 0 ? null : said.join('; ');
}

function provenanceText({ suite }: RunReport, keys: readonly string[]): string | null {
  const given = suite.provenance;
  if (typeof given !== 'object' || given === null) return null;
  const entries = given as Record<string, unknown>;
  return joined(
    keys.map((key) => (typeof entries[key] === 'string' ? `${inWords(key)}: ${entries[key]}` : null)),
  );
}

function countsText(counts: unknown): string | null {
  if (typeof counts !== 'object' || counts === null) return null;
  const entries = Object.entries(counts);
  return entries.length === 0 ? null : entries.map(([name, n]) => `${name} ${n}`).join(', ');
}

function scoreText(card: RunReport['card'], name: string): string | null {
  const score = scoreOf(card, name);
  if (score === undefined || score.value === null) return null;
  return `${score.label} ${number(score.value)}${score.interval === null ? '' : ` (${range(score.interval)})`}`;
}
