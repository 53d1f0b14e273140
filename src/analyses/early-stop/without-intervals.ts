import type { DecisionGroups, Figures } from '../../metrics/index.ts';
import type { Findings } from '../../runs/findings.ts';

const NO_INTERVAL = { lower: null, upper: null } as const;

/** The charts of a run that stopped early: an interval for a fixed number of rows would not hold, so none is drawn. */
export function figuresWithoutIntervals(figures: Figures): Figures {
  return {
    ...figures,
    reliability: figures.reliability.map((bin) => ({ ...bin, ...NO_INTERVAL })),
    dots: figures.dots.map((dot) => ({ ...dot, ...NO_INTERVAL })),
  };
}

/**
 * The findings of a run that stopped early. Shares stay and lose their intervals. A threshold rests on exact tests of a number of rows that was fixed beforehand, and a detectable
 * difference on a test of that kind: there are none.
 */
export function findingsWithoutIntervals({ decisions, decisionsAtPrevalence }: Findings): Findings {
  return {
    decisions: decisions && withoutIntervals(decisions),
    decisionsAtPrevalence: decisionsAtPrevalence.map((share) => ({ ...share, ...NO_INTERVAL })),
    detectable: null,
    threshold: () => null,
  };
}

function withoutIntervals({ mustAnswer, mustDefer, byReason, byClass, ...rest }: DecisionGroups) {
  return {
    ...rest,
    mustAnswer: { ...mustAnswer, ...NO_INTERVAL },
    mustDefer: { ...mustDefer, ...NO_INTERVAL },
    byReason: byReason.map((share) => ({ ...share, ...NO_INTERVAL })),
    byClass: byClass.map((share) => ({ ...share, ...NO_INTERVAL })),
  };
}
