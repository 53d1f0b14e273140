/** The part of this room that runs in a browser too. */
export { csvLine } from './formats/csv-cell.ts';
