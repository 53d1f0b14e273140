import type { Figures } from '../../metrics/figures.ts';

const NO_INTERVAL = { lower: null, upper: null } as const;

/** The charts of a run that stopped early: an interval for a fixed number of rows would not hold, so none is drawn. */
export function figuresWithoutIntervals(figures: Figures): Figures {
  return {
    ...figures,
    reliability: figures.reliability.map((bin) => ({ ...bin, ...NO_INTERVAL })),
    dots: figures.dots.map((dot) => ({ ...dot, ...NO_INTERVAL })),
  };
}
