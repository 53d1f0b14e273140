import { casesText, percent, whole } from '../../reports/charts/number-text.ts';
import { muted, paragraph, section, table, texts } from '../../reports/document/blocks.ts';
import type { Section } from '../../reports/document/document.ts';
import { pairs } from '../../reports/value-text.ts';
import {
  costText,
  cut,
  DASH,
  dateText,
  findScore,
  inWords,
  joined,
  levelText,
  scoreText,
} from '../../reports/words.ts';
import type { RunResult } from '../run-result.ts';
import CHECKLIST from './checklist.json' with { type: 'json' };

const MAX_ANSWER = 1000;

/**
 * What a careful reader asks of an evaluation of a language model, after the reporting guidelines TRIPOD-LLM and STARD-AI, in our own words and without their numbering. Answers come from the run's
 * data or are left to the authors: nothing is filled in that the data do not say.
 */
export function checklist(report: RunResult): Section {
  return section({ id: 'checklist', title: 'Reporting checklist', except: ['text'] }, [
    paragraph(
      'After the reporting guidelines TRIPOD-LLM and STARD-AI, in our own words and not in their numbering: check against the guideline itself before submitting.',
      { tone: 'small' },
    ),
    table(
      'Reporting checklist',
      ['item', ...texts('from this run', 'for the authors')],
      CHECKLIST.map(({ topic, items }) => ({
        title: topic,
        rows: items.map(({ id, asks, authors }) => {
          const answer = id === null ? null : answerItem(id, report);
          return [
            asks,
            answer === null ? muted(DASH) : cut(answer, MAX_ANSWER),
            authors ?? (answer === null ? 'all of it' : ''),
          ];
        }),
      })),
      { layout: 'wide checklist' },
    ),
  ]);
}

/** What the run's own data say to an item; null where they say nothing. */
export function answerItem(id: string, report: RunResult): string | null {
  return ANSWERS[id]?.(report) ?? null;
}

type Answer = (report: RunResult) => string | null;

/** For counts: those of a run that came without rows are not known, not zero. */
const withRows =
  (text: Answer): Answer =>
  (report) =>
    report.figures === null ? null : text(report);

/** What the run's own data say to an item, by its id in checklist.json; null where they say nothing. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  title: ({ backendName, task }) => `model ${backendName}${task === null ? '' : `, task ${task.id}`}`,
  intended_use: (report) => fromProvenance(report, ['intended_use', 'excluded_use']),
  source: (report) => fromProvenance(report, ['source', 'dates', 'licence', 'license', 'statistics']),
  population: (report) => fromProvenance(report, ['population', 'setting']),
  reference_standard: (report) => fromProvenance(report, ['reference_standard']),
  size: ({ suite, card }) => joined([card.n > 0 && casesText(card.n), countsText(suite.labels)]),
  missing: ({ suite }) => {
    const counts = countsText(suite.not_measured);
    return joined([
      counts && `not measured: ${counts}`,
      typeof suite.missing === 'string' && `setting: ${suite.missing}`,
    ]);
  },
  frozen: ({ suite, suiteHash }) =>
    joined([
      typeof suite.n_training_records === 'number' &&
        `${whole(suite.n_training_records)} cases to learn from are kept apart`,
      suiteHash && `cases frozen under SHA-256 ${suiteHash}`,
    ]),
  privacy: ({ sensitivity, egress }) =>
    joined([
      sensitivity && `data marked as ${sensitivity}`,
      egress && `questions went to ${egress.host ?? egress.provider ?? 'a provider'}`,
    ]),
  model: ({ backendName, extras, createdAt }) =>
    joined([
      backendName,
      extras.model_ids.length > 0 && `named by the provider: ${extras.model_ids.join(', ')}`,
      createdAt && `started ${dateText(createdAt)}`,
      extras.simulated && 'a simulated model: no claim about a real one can rest on it',
    ]),
  parameters: ({ parameters }) => (Object.keys(parameters).length === 0 ? null : pairs(parameters)),
  prompts: ({ extras, arm }) => {
    const n = extras.prompt_templates.length;
    if (n === 0) return null;
    return `${n} ${n === 1 ? 'template' : 'templates'} in this report, patient data redacted${arm === null ? '' : `; arm ${arm}`}`;
  },
  asking: ({ extras, repeats }) =>
    joined([
      extras.batch_size !== null && `${extras.batch_size} a call`,
      `asked ${repeats === 1 ? 'once' : `${repeats} times`}`,
    ]),
  confidence: withRows(
    ({ card }) =>
      `answers without a confidence: ${whole(card.nMissingConfidence)}; outside 0 to 1: ${whole(card.nInvalidConfidence)} (treated as missing)`,
  ),
  parsing: withRows(({ card: { ledger }, extras }) =>
    joined([
      `invalid ${whole(ledger.invalid ?? 0)}, refused ${whole(ledger.refused)}, both counted as wrong`,
      extras.n_repaired !== null && `replies repaired: ${whole(extras.n_repaired)}`,
    ]),
  ),
  abstentions: withRows(
    ({ card }) =>
      `${whole(card.ledger.abstained)} abstained${card.nScored === 0 ? '' : ` (${percent(card.ledger.abstained / card.nScored)} of scored cases)`}; every score says how many cases it rests on`,
  ),
  failures: withRows(
    ({ card, status }) => `${casesText(card.n - card.nScored)} failed or never ran; run ${inWords(status)}`,
  ),
  endpoint: ({ primaryEndpoint: endpoint }) =>
    endpoint && `${endpoint.metric}, arm ${endpoint.arm}: ${endpoint.why}`,
  measures: withRows(
    ({ card: { scores, method } }) =>
      `${scores.length} measures with ${levelText(method.level)} intervals where there is one, method and n`,
  ),
  calibration: (report) => measured(report, 'expected_calibration_error'),
  harm: (report) =>
    joined([measured(report, 'unsafe_answer_rate'), measured(report, 'deferral_cost_normalised')]),
  subgroups: ({ card }) => {
    const keys = [...new Set(card.subgroups.map(({ by }) => by))];
    return keys.length === 0 ? null : `compared by ${keys.join(', ')}, with n and intervals`;
  },
  variation: ({ repeats }) => (repeats > 1 ? `each case asked ${repeats} times` : null),
  software: ({ krisisVersion, seed, card: { method }, figures }) =>
    joined([
      krisisVersion && `Krisis ${krisisVersion}`,
      seed !== null && `suite seed ${seed}`,
      figures && `intervals from ${method.generator}, seed ${method.seed}`,
    ]),
  replies: withRows(({ path }) =>
    path === null
      ? null
      : 'the run file holds every case, and the reply as far as the protection of the data allows',
  ),
  cost: ({ extras }) =>
    joined([
      extras.token_total !== null && `${whole(extras.token_total)} tokens`,
      extras.cost_usd !== null && costText(extras.cost_usd),
      extras.elapsed_seconds !== null && `${extras.elapsed_seconds.toFixed(1)} s`,
    ]),
  limits: ({ warnings }) =>
    warnings.length === 0 ? null : `${warnings.length} warnings at the head of this report`,
};

function fromProvenance({ suite }: RunResult, keys: readonly string[]): string | null {
  const given = suite.provenance;
  if (typeof given !== 'object' || given === null) return null;
  const entries = given as Record<string, unknown>;
  return joined(keys.map((key) => typeof entries[key] === 'string' && `${inWords(key)}: ${entries[key]}`));
}

function countsText(counts: unknown): string | null {
  if (typeof counts !== 'object' || counts === null) return null;
  return joined(
    Object.entries(counts).map(([name, n]) => `${name} ${n}`),
    ', ',
  );
}

function measured({ card }: RunResult, name: string): string | null {
  const score = findScore(card, name);
  return score?.value == null ? null : `${score.label} ${scoreText({ ...score, bounds: null })}`;
}
