import { isJudged, type JudgedResult } from '../../analyses/judging/judged-result.ts';
import { contentHash } from '../../core/canonical-json.ts';
import { snakeKeys } from '../../core/codec.ts';
import { BREAK, code, facts, heading, paragraph, section } from '../../reports/document/blocks.ts';
import type { Fact, Section } from '../../reports/document/document.ts';
import { pairs, valueText } from '../../reports/value-text.ts';
import { methodText } from '../method-text.ts';
import type { RunResult } from '../run-result.ts';
import { verificationText } from '../verification.ts';

/** A description from another framework may hold anything. */
const MAX_FIELDS = 100;
const MAX_HASHES = 20;
/** Fields of the suite's description that other parts of the report show. */
const SHOWN_ELSEWHERE = ['warnings', 'name', 'task', 'suite_hash', 'sensitivity', 'primary_endpoint', 'seed'];

/** How the numbers were made and from what, with the hashes that let others check it. */
export function provenance(report: RunResult): Section {
  const described = Object.entries(report.suite).filter(([key]) => !SHOWN_ELSEWHERE.includes(key));
  const left = described.length - MAX_FIELDS;
  const listed = described.slice(0, MAX_FIELDS).map(([key, value]): Fact => [code(key), valueText(value)]);
  return section({ id: 'provenance', title: 'Method and provenance' }, [
    paragraph(methodText(report)),
    !isJudged(report) && facts('Method', methodFacts(report)),
    heading('Run'),
    facts('Run', runFacts(report)),
    heading('Suite'),
    described.length === 0
      ? paragraph('The run states nothing about its suite but its name.')
      : facts('Suite', listed),
    left > 0 && paragraph(`${left} more fields are in the run file.`),
  ]);
}

function methodFacts({ primaryEndpoint: endpoint, arm }: RunResult): Fact[] {
  const otherArm =
    endpoint !== null && arm !== null && endpoint.arm !== arm ? ` (this run is of arm ${arm})` : '';
  return [
    [
      'primary endpoint',
      endpoint === null
        ? 'none was named'
        : `${endpoint.metric}, arm ${endpoint.arm}${otherArm}: ${endpoint.why}`,
    ],
    ['confidence outside 0 to 1', 'treated as missing, and counted'],
  ];
}

function runFacts(report: RunResult): Fact[] {
  const { egress, extras, parameters } = report;
  const hashes = promptHashes(report).map((hash, i) => [i === 0 ? '' : BREAK, code(hash)]);
  return [
    ['suite hash (SHA-256)', report.suiteHash === null ? 'not known' : code(report.suiteHash)],
    [
      isJudged(report) ? 'seed of the order of items' : 'suite seed',
      report.seed === null ? 'not stated' : String(report.seed),
    ],
    ['sensitivity of the data', report.sensitivity ?? 'not stated'],
    [
      'where questions went',
      egress === null ? 'nowhere outside this process, or not stated' : valueText(egress),
    ],
    ['model as the provider names it', extras.model_ids.join(', ') || 'not stated'],
    ['parameters', Object.keys(parameters).length === 0 ? 'none were set' : valueText(parameters)],
    ['prompt templates (SHA-256)', hashes.length === 0 ? 'none captured' : hashes],
    ...(isJudged(report) ? judgeFacts(report) : importFacts(report)),
    [
      'numbers',
      report.numbersFrom === 'rows' ? 'computed from the rows' : 'as the end of the run stored them',
    ],
    ...(report.verification ? [['run file', verificationText(report.verification)] as Fact] : []),
  ];
}

/** The hashes of the prompts that a run was asked with; empty where none were captured. */
export function promptHashes({ extras }: Pick<RunResult, 'extras'>): string[] {
  return extras.prompt_templates.slice(0, MAX_HASHES).map(({ prompt }) => contentHash(prompt ?? null));
}

function importFacts({ imported }: RunResult): Fact[] {
  if (imported === null) return [];
  const rows = imported.hasRows ? 'with its rows' : 'without rows';
  return [
    ['imported from', `${imported.source} (${imported.format}), ${rows}`],
    ['imported file (SHA-256)', code(imported.sha256)],
  ];
}

function judgeFacts({ judging: { judge, judgeEgress, jury }, recorded }: JudgedResult): Fact[] {
  return [
    ...(judgeEgress === null
      ? []
      : [['where answers went to be judged', pairs(snakeKeys(judgeEgress))] as Fact]),
    ...(recorded === null ? [] : [['answers recorded elsewhere', pairs(recorded)] as Fact]),
    ...judge.judges.map(
      ({ name, config, passes, promptHashes }): Fact => [
        jury?.judges.some((member) => member.name === name)
          ? 'judge of the jury'
          : judge.names.includes(name)
            ? 'judge'
            : 'judge, not scored here',
        `${name}, passes ${passes}${config === '' ? '' : `, configuration ${config}`}${promptHashes.length === 0 ? '' : `, prompt ${promptHashes.join(', ')}`}`,
      ],
    ),
  ];
}
