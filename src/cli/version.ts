import { readFileSync } from 'node:fs';

/** The version in package.json, two folders up in the sources and in the published package alike. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
