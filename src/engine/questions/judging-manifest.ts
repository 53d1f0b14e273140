import { hash } from 'node:crypto';
import { type Judge, judgeIdentity } from '../../models/index.ts';
import { type ClaimSource, rubricsManifest } from '../../rubrics/index.ts';
import type { Run, RunUpdate } from '../../store/index.ts';
import type { Question } from '../../suites/index.ts';
import type { Egress } from '../egress.ts';
import type { Judging } from './judge-answer.ts';
import type { SeatedJudge } from './seat-judges.ts';

/** What the manifest says of how a session judges these questions. `egress` says where each judge's data go. */
export function judgingManifest(
  manifest: Run,
  { judges, passes, claims }: Judging,
  egress: readonly (Egress | null)[],
  questions: readonly Question[],
): RunUpdate {
  return {
    ...judgesManifest(manifest, judges, { passes, egress }),
    ...claimsManifest(claims),
    ...rubricsManifest(questions, manifest),
  };
}

/** Who is asked now, and all that were ever asked, each with its settings. */
function judgesManifest(
  manifest: Run,
  judges: readonly SeatedJudge[],
  { passes, egress }: { readonly passes: number; readonly egress: readonly (Egress | null)[] },
): RunUpdate {
  const now = new Date().toISOString();
  const keyOf = ({ config, judge }: { readonly config: string; readonly judge: string }) =>
    `${config} ${judge}`;
  const known = new Map((manifest.judges ?? []).map((entry) => [keyOf(entry), entry]));
  for (const [i, { judge, config }] of judges.entries()) {
    const { prompt_hash: promptHash, ...identity } = judgeIdentity(judge);
    const before = known.get(keyOf({ config, judge: judge.name }));
    known.set(keyOf({ config, judge: judge.name }), {
      config,
      ...identity,
      promptHash,
      parameters: { ...identity.parameters },
      rules: judge.rules ?? null,
      maxOutputTokens: judge.maxOutputTokens ?? null,
      passes: Math.max(passes, before?.passes ?? 1),
      egress: egress[i] ?? null,
      firstAsked: before?.firstAsked ?? now,
      lastAsked: now,
    });
  }
  return {
    judge: firstJudge(judges[0]!.judge),
    judgeConfigs: judges.map(({ config }) => config),
    judges: [...known.values()],
    judgePasses: passes,
    judgeEgress: egress.find((one) => one !== null) ?? null,
  };
}

function firstJudge(judge: Judge) {
  const { prompt_hash: promptHash, ...identity } = judgeIdentity(judge);
  return { ...identity, promptHash };
}

/** What the manifest says of the source of claims; nothing where none is given. */
function claimsManifest(source: ClaimSource | null): RunUpdate {
  return source === null ? {} : { claimsSource: { name: source.name, sha256: hash('sha256', source.text) } };
}
