export type * from '../../src/viewer/api.ts';
