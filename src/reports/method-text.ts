import type { RunReport } from '../results/index.ts';

/** How the intervals were made, in a sentence for a paper. */
export function methodText({ card: { method, scores }, imported }: RunReport): string {
  if (imported?.hasRows === false)
    return 'Values as published; there are no rows, so there are no intervals.';
  const ways = new Set(scores.flatMap(({ interval }) => interval?.method ?? []));
  const percent = Math.round(method.level * 1000) / 10;
  const unit = method.cluster === null ? 'rows' : `clusters (${method.cluster})`;
  const stratified = method.stratified ? ' within each true class' : '';
  const parts = [
    ...(ways.has('wilson') ? ['Wilson for shares'] : []),
    ...(ways.has('wilson_clusters') ? ['Wilson over clusters where all agree'] : []),
    ...(ways.has('bca') || ways.has('percentile')
      ? [
          `${[...(ways.has('bca') ? ['BCa'] : []), ...(ways.has('percentile') ? ['percentile'] : [])].join(' or ')} bootstrap over ${unit}${stratified} for the others (${method.resamples} resamples, seed ${method.seed}, ${method.generator})`,
        ]
      : []),
  ];
  return parts.length === 0 ? 'No intervals.' : `${percent} % intervals: ${parts.join('; ')}.`;
}
