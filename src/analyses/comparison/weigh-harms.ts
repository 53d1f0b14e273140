import { builtInMetric } from '../../metrics/registry.ts';
import type { EndpointComparison } from './comparison.ts';

/** The names of the two models of a pair. */
interface Pair {
  readonly model: string;
  readonly baseline: string;
}

/** Harms weigh against endpoints of their rank or a later one. */
function rankHarm({ metric }: Pick<EndpointComparison, 'metric'>): number {
  return builtInMetric(metric)?.weighs?.rank ?? Infinity;
}

/**
 * Takes back "better" and "worse" wherever the model that looks better does more harm: it missed more emergencies, or raised more false alarms or
 * made more unsafe decisions as far as that is shown. The words then name both.
 */
export function weighHarms(
  endpoints: readonly EndpointComparison[],
  pair: Pair,
): readonly EndpointComparison[] {
  const harms = {
    model: listHarms(endpoints, 'model', pair),
    baseline: listHarms(endpoints, 'baseline', pair),
  };
  return endpoints.map((endpoint) => {
    if (endpoint.verdict !== 'better' && endpoint.verdict !== 'worse') return endpoint;
    const ahead = endpoint.verdict === 'better' ? 'model' : 'baseline';
    // Missed emergencies and false alarms are weighed against each other; unsafe decisions come after both.
    const against = harms[ahead].filter(
      (harm) => harm.metric !== endpoint.metric && rankHarm(harm) <= rankHarm(endpoint),
    );
    if (against.length === 0) return endpoint;
    const verdict = endpoint.difference! > 0 ? 'higher' : 'lower';
    const size = endpoint.inWords.replace(/^(better|worse): /, '');
    const inWords = `${verdict}: ${size}; but ${against.map(({ text }) => text).join('; ')}`;
    return { ...endpoint, verdict, inWords };
  });
}

/** What one of the two does that is worse than what the other does. */
function listHarms(
  endpoints: readonly EndpointComparison[],
  side: 'model' | 'baseline',
  { model, baseline }: Pair,
): readonly { readonly metric: string; readonly text: string }[] {
  const [name, other] = side === 'model' ? [model, baseline] : [baseline, model];
  return endpoints.flatMap((endpoint) => {
    const { metric, difference, verdict, n } = endpoint;
    if (difference === null || difference === 0 || difference > 0 !== (side === 'model')) return [];
    const harm = builtInMetric(metric)?.weighs;
    const isShown = verdict === 'better' || verdict === 'worse';
    if (harm === undefined || (harm.by === 'evidence' && !isShown)) return [];
    const [own, theirs] =
      side === 'model'
        ? [endpoint.modelValue, endpoint.baselineValue]
        : [endpoint.baselineValue, endpoint.modelValue];
    const count = (value: number | null) => Number(((value ?? 0) * n).toFixed(1));
    return [{ metric, text: `${name} ${harm.inWords(count(own), n)}, ${other} ${count(theirs)}` }];
  });
}
