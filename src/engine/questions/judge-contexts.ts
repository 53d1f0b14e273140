import type { Desk } from '../sitting.ts';
import type { ContextOf } from './judge-answer.ts';
import type { SeatedJudge } from './seat-judges.ts';

/** How the judges of a session are called, until a signal stops the work on an answer: every model has one pace for all answers. */
export function judgeContexts(
  judges: readonly SeatedJudge[],
  contextFor: Desk['contextFor'],
): (stop: AbortSignal) => ContextOf {
  const contexts = new Map(judges.map(({ judge }) => [judge, judge.backend && contextFor(judge.backend)]));
  return (stop) => (judge) => {
    const context = contexts.get(judge) ?? null;
    return context && { ...context, signal: stop };
  };
}
