import { snakeKeys } from '../../core/index.ts';
import type { StopEarly } from '../../results/early/index.ts';

/** How a run stops early, in file form. */
export function stopEarlyObject({ nonInferior, verdicts, ...terms }: StopEarly): object {
  return {
    ...snakeKeys(terms),
    non_inferior: nonInferior && snakeKeys(nonInferior),
    bounds: 'anytime-valid',
    verdicts: verdicts.map(snakeKeys),
  };
}
