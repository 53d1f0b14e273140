import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROVIDERS } from '../src/models/api/providers/providers.ts';

interface Checked {
  readonly provider: string;
  readonly checked: string;
  readonly what: string;
  /** The SDK whose pinned version builds the requests and reads the replies. */
  readonly package?: string;
  readonly document?: string;
}

const FORMATS: readonly Checked[] = JSON.parse(readFileSync('docs/dev/provider-formats.json', 'utf8'));
const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const versions: Readonly<Record<string, string>> = { ...dependencies, ...devDependencies };
const page = readFileSync('docs/provider-list.md', 'utf8');

/** A line of the table in docs/provider-list.md. */
function line({ provider, checked, what, package: sdk, document }: Checked): string {
  const against = sdk === undefined ? document : `\`${sdk}\` ${versions[sdk]}`;
  return `| \`${provider}/\` | ${checked} | ${what} | ${against} |`;
}

describe('formats of providers', () => {
  it('are stated for every provider, once', () => {
    expect(FORMATS.map(({ provider }) => provider)).toEqual([...PROVIDERS]);
  });

  it('are checked against one document, or an SDK that is installed', () => {
    for (const format of FORMATS) {
      expect([format.package, format.document].filter((against) => against !== undefined)).toHaveLength(1);
      if (format.package !== undefined)
        expect(versions[format.package], format.package).toMatch(/^\d+\.\d+\.\d+$/);
      expect(format.checked).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  });

  it('are the table of the docs: whoever raises an SDK checks its formats again, and dates them', () => {
    expect(page.match(/^\| `[\w-]+\/` \| \d{4}-.*$/gm)).toEqual(FORMATS.map(line));
    expect(page).toContain('No paid service has been called');
  });
});
