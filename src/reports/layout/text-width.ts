/** The width of a text where none is given: that of a classic terminal. */
export const TEXT_WIDTH = 80;
