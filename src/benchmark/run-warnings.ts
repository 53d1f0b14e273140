import { type Warning, warningsFor } from '../metrics/warnings.ts';
import type { FileRun } from './run-to-file.ts';

/** What a reader of a run must know besides the warnings of its scores. */
export function runWarnings({
  card,
  extras,
  description,
  nDeferralsOnMustAct,
  status,
  stoppedBecause,
}: Omit<FileRun, 'path'>): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, message: string) => warnings.push({ code, message });
  if (extras.simulated)
    warn(
      'simulated_model',
      'A simulated model: its answers are made up, and say nothing about any real one.',
    );
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
  if (extras.batch_size > 1 && extras.prompt_modes.includes('batch') && extras.n_prompts_captured > 0) {
    warn(
      'batch_coupling',
      `Records were asked ${extras.batch_size} at a time, so answers of a batch may depend on each other; --batch-size 1 is the mode to publish.`,
    );
  }
  if (description.origins.length > 1) {
    warn(
      'origins_pooled',
      `Rows of different origin (${description.origins.map(({ name }) => name).join(', ')}) are in one score: use --group-by origin, and report them apart.`,
    );
  }
  return [...warnings, ...warningsFor(card)];
}
