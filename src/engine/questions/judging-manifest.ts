import { hash } from 'node:crypto';
import { judgeIdentity } from '../../models/index.ts';
import { type ClaimSource, rubricsManifest } from '../../rubrics/index.ts';
import type { Manifest, ManifestUpdate } from '../../store/index.ts';
import type { Question } from '../../suites/index.ts';
import type { Egress } from '../egress.ts';
import type { Judging } from './judge-answer.ts';
import type { SeatedJudge } from './seat-judges.ts';

/** What the manifest says of how a sitting judges these questions. `egress` says where each judge's data go. */
export function judgingManifest(
  manifest: Manifest,
  { judges, passes, claims }: Judging,
  egress: readonly (Egress | null)[],
  questions: readonly Question[],
): ManifestUpdate {
  return {
    ...judgesManifest(manifest, judges, { passes, egress }),
    ...claimsManifest(claims),
    ...rubricsManifest(questions, manifest),
  };
}

/** Who is asked now, and all that were ever asked, each with its settings. */
function judgesManifest(
  manifest: Manifest,
  judges: readonly SeatedJudge[],
  { passes, egress }: { readonly passes: number; readonly egress: readonly (Egress | null)[] },
): ManifestUpdate {
  const now = new Date().toISOString();
  const keyOf = ({ config, judge }: { readonly config: string; readonly judge: string }) =>
    `${config} ${judge}`;
  const known = new Map((manifest.judges ?? []).map((entry) => [keyOf(entry), entry]));
  for (const [i, { judge, config }] of judges.entries()) {
    const identity = judgeIdentity(judge);
    const before = known.get(keyOf({ config, judge: judge.name }));
    known.set(keyOf({ config, judge: judge.name }), {
      config,
      ...identity,
      parameters: { ...identity.parameters },
      rules: judge.rules ?? null,
      max_output_tokens: judge.maxOutputTokens ?? null,
      passes: Math.max(passes, before?.passes ?? 1),
      egress: egress[i] ?? null,
      first_asked: before?.first_asked ?? now,
      last_asked: now,
    });
  }
  return {
    judge: judgeIdentity(judges[0]!.judge),
    judge_configs: judges.map(({ config }) => config),
    judges: [...known.values()],
    judge_passes: passes,
    judge_egress: egress.find((one) => one !== null) ?? null,
  };
}

/** What the manifest says of the source of claims; nothing where none is given. */
function claimsManifest(source: ClaimSource | null): ManifestUpdate {
  return source === null ? {} : { claims_source: { name: source.name, sha256: hash('sha256', source.text) } };
}
