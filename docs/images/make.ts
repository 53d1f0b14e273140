/**
 * Draws the pictures of the documentation, from made-up answers scored by the library and from the charts of its reports:
 *
 *     node docs/images/make.ts [FOLDER]
 *
 * Without a folder they go beside this file. A test draws them anew and compares, so that no picture shows what the library no longer does.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bounds } from './source/bounds.ts';
import { deferral } from './source/deferral.ts';
import { detection } from './source/detection.ts';
import { reliability } from './source/reliability.ts';
import { riskCoverageCurves } from './source/risk-coverage.ts';
import { staging } from './source/staging.ts';
import { triple } from './source/triple.ts';

export const PICTURES: Readonly<Record<string, () => string>> = {
  'triple.svg': triple,
  'deferral.svg': deferral,
  'reliability.svg': reliability,
  'risk-coverage.svg': riskCoverageCurves,
  'detection.svg': detection,
  'staging.svg': staging,
  'bounds.svg': bounds,
};

if (import.meta.main) {
  const folder = process.argv[2] ?? import.meta.dirname;
  mkdirSync(folder, { recursive: true });
  for (const [name, draw] of Object.entries(PICTURES)) writeFileSync(join(folder, name), draw());
}
