import { exportSource } from './export-source.ts';
import { httpSource } from './http-source.ts';
import { startSession } from './session.ts';
import type { Source } from './source.ts';

/** The page of an export loads the files beside it; any other asks its server. */
export function chooseSource(): Source {
  const site = window.krisisExport?.site;
  if (site !== undefined) return exportSource(site);
  startSession();
  return httpSource();
}
