import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const FOLDERS = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)];
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** An installed Chromium: the one that CHROMIUM_PATH names, or the first of the usual names; null where there is none. */
export function findChromium(): string | null {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== '') return existsSync(named) ? named : null;
  const places = FOLDERS.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return places.find((place) => existsSync(place)) ?? null;
}
