/** `krisis/store`: run files. */

export { RunFile, type StoredRow } from '../store/index.ts';
