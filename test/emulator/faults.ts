import { chance } from './chance.ts';

/** What may befall a prompt, in the order in which it is looked at: the first that strikes is the only one. */
export const FAULTS = [
  'reset',
  'stall',
  'serverError',
  'overloaded',
  'refusal',
  'empty',
  'truncated',
  'malformed',
  'partial',
  'repairable',
] as const;

export type Fault = (typeof FAULTS)[number];
export type FaultShares = { readonly [F in Fault as `${F}Share`]?: number };
export type FaultsPass = boolean | 'by_chance';

interface Occasion {
  readonly prompt: string;
  /** How often this prompt got through, this time included. */
  readonly time: number;
  readonly batch: boolean;
}

interface FaultOptions extends FaultShares {
  readonly faultsPass?: FaultsPass;
  readonly malformedSingles?: boolean;
}

/** Which fault strikes; the prompt decides, and for each fault on its own. */
export function faultOf(options: FaultOptions, { prompt, time, batch }: Occasion): Fault | null {
  const { faultsPass = true, malformedSingles = false } = options;
  if (faultsPass === true && time > 1) return null;
  const about = faultsPass === 'by_chance' ? `${prompt} ${time}` : prompt;
  for (const fault of FAULTS) {
    const share = options[`${fault}Share`] ?? 0;
    if (share === 0) continue;
    if (!batch && (fault === 'partial' || (fault === 'malformed' && !malformedSingles))) continue;
    if (chance(fault, about) < share) return fault;
  }
  return null;
}
