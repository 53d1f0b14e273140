import { exportSource } from './export-source.ts';
import { httpSource } from './http-source.ts';
import type { Source } from './source.ts';

/** The page of an export loads the files beside it; any other asks its server. */
export function chooseSource(): Source {
  const site = window.krisisExport?.site;
  return site === undefined ? httpSource() : exportSource(site);
}
