/** The width of a text where none is given: that of a classic terminal. */
export const TEXT_WIDTH = 80;
/** The most lines of a first screen, with what its command prints on standard error. */
export const MAX_SCREEN_LINES = 40;
/** A comparison has a line for each model, and their order. */
export const MAX_COMPARISON_LINES = 45;
