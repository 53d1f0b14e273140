import { basename } from 'node:path';
import { RunFile } from '../../store/index.ts';
import { cachedRepliesText } from '../cached-replies.ts';
import { readExtras } from '../execution.ts';
import type { RunResult } from '../run-result.ts';
import type { GatePlan } from './gate-plan.ts';
import type { GateVerdict } from './verdict.ts';

/** Why answers say nothing about the model as it is now. */
interface Staleness {
  readonly reason: NonNullable<GateVerdict['reason']>;
  readonly text: string;
}

const ASKS_AGAIN = 'a new run (--new) asks again';

/** Conditions are about the model as it is now: none is decided by answers that were given before, whether they meet it or not. A run that was read from its file is meant as it is stored. */
export function withoutStaleAnswers(
  verdicts: readonly GateVerdict[],
  plan: GatePlan,
  result: Pick<RunResult, 'nothingAsked' | 'extras'>,
): readonly GateVerdict[] {
  if (verdicts.length === 0) return verdicts;
  const own = staleness(result);
  const baseline =
    own === null && plan.nonInferior !== null ? staleBaseline(plan.nonInferior.baseline) : null;
  return verdicts.map((verdict, v) => {
    const stale = v < plan.gates.length ? own : (own ?? baseline);
    if (stale === null) return verdict;
    const message = `${verdict.message}, but ${stale.text}: ${ASKS_AGAIN}`;
    return { ...verdict, status: 'undecided', message, reason: stale.reason };
  });
}

function staleness({ nothingAsked, extras }: Pick<RunResult, 'nothingAsked' | 'extras'>): Staleness | null {
  if (nothingAsked)
    return {
      reason: 'nothing_asked',
      text: 'nothing was asked, and every answer is from an earlier start of this run',
    };
  const text = cachedRepliesText(extras);
  return text === null ? null : { reason: 'cached_replies', text };
}

/** The difference from a baseline rests on its replies as well. */
function staleBaseline(path: string): Staleness | null {
  const extras = RunFile.use(path, (file) => {
    const manifest = file.manifest();
    return readExtras(file, manifest, { repeats: manifest.identity.repeats, promptModes: [] });
  });
  const text = cachedRepliesText(extras);
  return text === null ? null : { reason: 'cached_replies', text: `in ${basename(path)} ${text}` };
}
