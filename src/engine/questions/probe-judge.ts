import type { Judge } from '../../models/index.ts';
import {
  JudgeCallFailed,
  type JudgeOutcome,
  judgeProbes,
  lexicalJudge,
  type ProbeScore,
  runJudge,
  scoreProbes,
} from '../../rubrics/index.ts';
import { MemoryJournal } from '../../store/index.ts';
import { createLane, type LaneOptions } from '../call-context.ts';
import { ProgressCounter } from '../progress.ts';
import { makeTextCall } from '../text-call.ts';
import { runWorkers } from '../workers.ts';

/** Puts the probes to a judge: answers made to mislead one, with the verdicts that are right. */
export async function probeJudge(
  judge: Judge,
  options: Pick<LaneOptions, 'waits'> & { readonly signal?: AbortSignal },
): Promise<ProbeScore> {
  const outcomes = new Map<string, JudgeOutcome>();
  const { backend } = judge;
  if (backend === null) {
    for (const probe of judgeProbes) outcomes.set(probe.id, lexicalJudge(probe));
    return scoreProbes(outcomes);
  }
  const journal = new MemoryJournal();
  const lane = createLane(
    { ...options, journal, backend, maxConcurrency: 4 },
    new ProgressCounter(judgeProbes.length, 0),
  );
  await runWorkers(judgeProbes, 4, options.signal, async (probe, signal) => {
    let calls = 0;
    const outcome = await runJudge({
      ...probe,
      seed: 42,
      ask: async (request) => {
        const { reply, error } = await makeTextCall(
          {
            key: `${probe.id}:${calls++}`,
            mode: 'judge',
            repeat: 0,
            record: { id: probe.id, features: {} },
            request,
          },
          { ...lane, signal },
        );
        if (reply === null) throw new JudgeCallFailed(error?.fault ?? 'empty');
        return reply;
      },
    });
    outcomes.set(probe.id, outcome);
  });
  return scoreProbes(outcomes);
}
