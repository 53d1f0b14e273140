import type { Judge } from '../../models/judge.ts';
import type { JudgeOutcome } from '../../rubrics/judge/judge-outcome.ts';
import { lexicalJudge } from '../../rubrics/judge/lexical.ts';
import { judgeProbes, type ProbeScore, scoreProbes } from '../../rubrics/judge/probes.ts';
import { runJudge } from '../../rubrics/judge/run-judge.ts';
import { RunFile } from '../../store/run-file.ts';
import { type CallContextOptions, createCallContext } from '../call-context.ts';
import { ProgressCounter } from '../progress.ts';
import { runWorkers } from '../workers.ts';
import { judgeCalls } from './judge-answer.ts';

const CONCURRENCY = 4;

/** Tests a judge with the probes: answers made to mislead it, with the verdicts that are right. */
export async function probeJudge(
  judge: Judge,
  options: Pick<CallContextOptions, 'waits'> & { readonly signal?: AbortSignal },
): Promise<ProbeScore> {
  const outcomes = new Map<string, JudgeOutcome>();
  const { backend } = judge;
  if (backend === null) {
    for (const probe of judgeProbes) outcomes.set(probe.id, lexicalJudge(probe));
    return scoreProbes(outcomes);
  }
  const journal = RunFile.inMemory();
  const context = createCallContext(
    { ...options, journal, backend, maxConcurrency: CONCURRENCY },
    new ProgressCounter(judgeProbes.length, 0),
  );
  await runWorkers(judgeProbes, CONCURRENCY, options.signal, async (probe, signal) => {
    const ask = judgeCalls({ ...context, signal }, probe, `${probe.id}:`);
    outcomes.set(probe.id, await runJudge({ ...probe, seed: 42, ask }));
  });
  journal.close();
  return scoreProbes(outcomes);
}
