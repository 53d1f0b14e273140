export { type AppFiles, readAppFiles, readPacketPage } from './app-files.ts';
export { notesEditor } from './edit-notes.ts';
export { type ExportProgress, exportSite } from './export-site.ts';
export { isLoopback } from './guard.ts';
export { listen } from './listen.ts';
export type { ViewedPlace } from './open-runs.ts';
export { runLine } from './run-line.ts';
export { servedRuns } from './served-runs.ts';
export { viewedRuns } from './viewed-runs.ts';
