import { type DeferralReasons, type Label, sameLabel } from '../../core/index.ts';
import type { PrimaryEndpoint, Task } from '../task.ts';
import type { CheckedDefinition } from './definition-schema.ts';

/** The task of a definition, given its label space. */
export function tableTask(definition: CheckedDefinition, labels: readonly Label[]): Task {
  const texts = definition.arms ?? { natural: definition.instructions! };
  const defaultArm = Object.hasOwn(texts, 'natural') ? 'natural' : Object.keys(texts)[0]!;
  const { positiveLabel, pack, deferralReasons, mustAct, actLabels } = definition;
  return {
    id: definition.name,
    labels,
    ...(positiveLabel === undefined ? {} : { positiveLabel }),
    ordered: definition.ordered ?? pack === 'staging',
    arms: Object.fromEntries(Object.entries(texts).map(([arm, instructions]) => [arm, { instructions }])),
    defaultArm,
    ...(deferralReasons && { deferralReasons: reasonsOf(deferralReasons) }),
    ...(pack === undefined ? {} : { pack }),
    ...(actLabels
      ? { actLabels: actLabels.map((act) => labels.find((label) => sameLabel(label, act)) ?? act) }
      : mustAct !== undefined && { asksUrgency: true }),
    primaryEndpoint: endpointOf(definition, defaultArm),
  };
}

function reasonsOf(reasons: NonNullable<CheckedDefinition['deferralReasons']>): DeferralReasons {
  return Object.fromEntries(Object.entries(reasons).map(([reason, general]) => [reason, { general }]));
}

function endpointOf(
  { primaryEndpoint, shouldAbstain }: CheckedDefinition,
  defaultArm: string,
): PrimaryEndpoint {
  const arm = primaryEndpoint?.arm ?? defaultArm;
  if (primaryEndpoint !== undefined)
    return { metric: primaryEndpoint.metric, arm, why: primaryEndpoint.why ?? 'named in the definition' };
  return shouldAbstain === undefined
    ? { metric: 'selective_accuracy', arm, why: 'how often an answer is right; no deferral labels are given' }
    : { metric: 'decision_accuracy', arm, why: 'answering and deferring both count, each where it is right' };
}
