export type * from '../../src/viewer/browser.ts';
