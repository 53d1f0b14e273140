import { type Scorecard, type Warning, warningsFor } from '../metrics/index.ts';
import type { RunExtras, RunReport } from './run-report.ts';

/** What of a run can call for a warning: a run that has just ended, one that was read from its file, or a result in memory. */
export interface WarningFacts {
  readonly card: Scorecard;
  readonly extras: RunExtras;
  readonly description: {
    readonly origins: readonly { readonly name: string }[];
    readonly primaryEndpoint?: { readonly metric: string } | null;
  };
  /** Abstentions on rows where staying silent is unsafe. */
  readonly nDeferralsOnMustAct: number;
  readonly status: string;
  readonly stoppedBecause: string | null;
  readonly imported?: RunReport['imported'];
}

/** What a reader of a run must know besides the warnings of its scores. */
export function runWarnings(run: WarningFacts): Warning[] {
  const { card, extras, description, nDeferralsOnMustAct, status, stoppedBecause, imported = null } = run;
  const warnings: Warning[] = [];
  const warn = (code: string, message: string) => warnings.push({ code, message });
  if (imported !== null) {
    const rows = imported.hasRows
      ? ''
      : ' It has no rows, so there are no intervals and no comparison by pairs.';
    warn(
      'imported',
      `Imported from ${imported.source} (${imported.format}): this run was not made here.${rows}`,
    );
  }
  if (extras.simulated)
    warn(
      'simulated_model',
      'A simulated model: its answers are made up, and say nothing about any real one.',
    );
  if (status === 'running') warn('incomplete', 'The run is still going on: scores are of what is finished.');
  if (status === 'interrupted')
    warn('incomplete', 'The run was interrupted: scores are of what is finished.');
  if (status === 'stopped')
    warn('stopped', `The run stopped (${stoppedBecause}); scores are of what is finished.`);
  if (nDeferralsOnMustAct > 0) {
    warn(
      'deferrals_on_must_act',
      `${nDeferralsOnMustAct === 1 ? '1 abstention' : `${nDeferralsOnMustAct} abstentions`} on rows where staying silent is unsafe (metadata.must_act).`,
    );
  }
  const batchSize = extras.batch_size ?? 1;
  if (batchSize > 1 && extras.prompt_modes.includes('batch') && (extras.n_prompts_captured ?? 0) > 0) {
    warn(
      'batch_coupling',
      `Records were asked ${batchSize} at a time, so answers of a batch may depend on each other; --batch-size 1 is the mode to publish.`,
    );
  }
  if (description.origins.length > 1) {
    const origins = description.origins.map(({ name }) => name).join(', ');
    const how = card.subgroups.some(({ by }) => by === 'origin')
      ? 'publish those by origin, not the pooled one'
      : 'use --group-by origin, and report them apart';
    warn('origins_pooled', `Rows of different origin (${origins}) are in one score: ${how}.`);
  }
  const straddling = boundsStraddle(card, description.primaryEndpoint?.metric);
  if (straddling !== null) warn('bounds_straddle', straddling);
  return [...warnings, ...warningsFor(card)];
}

/** Where rows that failed could move the primary endpoint further than chance could, its interval says too little. */
function boundsStraddle({ scores }: Scorecard, endpoint: string | undefined): string | null {
  const score = scores.find(({ name }) => name === endpoint);
  const { bounds, interval } = score ?? {};
  if (!score || !bounds || !interval) return null;
  if (bounds.upper - bounds.lower <= interval.upper - interval.lower) return null;
  const range = ({ lower, upper }: { lower: number; upper: number }) =>
    `${lower.toFixed(3)} to ${upper.toFixed(3)}`;
  return `Rows that failed leave ${score.name} open from ${range(bounds)}, more than chance does (${range(interval)}): finish the run before claiming anything from it.`;
}
