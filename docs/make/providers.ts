import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listProviders } from '../../src/models/api/provider-info.ts';
import { PROVIDER_LIST } from '../../src/models/api/providers/providers.ts';
import { code, NOTE, table } from './markdown.ts';

interface Checked {
  readonly provider: string;
  readonly checked: string;
  readonly what: string;
  /** The SDK whose pinned version builds the requests and reads the replies. */
  readonly package?: string;
  readonly document?: string;
}

const ROOT = join(import.meta.dirname, '../..');

/** Every provider: what it needs, and against what its formats were checked. */
export async function providersPage(): Promise<string> {
  const providers = await listProviders({});
  const formats: readonly Checked[] = JSON.parse(
    readFileSync(join(ROOT, 'docs/dev/provider-formats.json'), 'utf8'),
  );
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const versions: Readonly<Record<string, string>> = {
    ...manifest.dependencies,
    ...manifest.devDependencies,
  };
  return [
    '# Providers',
    '',
    NOTE,
    '',
    'The name of a model is `provider/model`, and other models than the examples work too. `krisis check PROVIDER` shows whether your key is set, and every known price. [Ask a hosted model](providers.md) explains how to run one.',
    '',
    ...table(
      ['provider', 'also', 'needs', 'host', 'models to try', 'bulk jobs'],
      providers.map(({ name, aliases, missing, host, examples }, i) => [
        code(`${name}/`),
        aliases.map((alias) => code(`${alias}/`)).join(', '),
        missing === null ? 'nothing' : asCode(missing.replace(/^needs [^:]*: set /, '')),
        host === null ? 'yours' : code(host),
        examples.map(({ id }) => code(id)).join(', '),
        PROVIDER_LIST[i]!.bulk === undefined ? '' : 'yes',
      ]),
    ),
    '',
    '## How the formats were checked',
    '',
    "No paid service has been called in making Krisis. Requests and replies were checked against these sources, and tests run against an emulator, another project's mock server and llama.cpp's own server.",
    '',
    ...table(
      ['provider', 'checked', 'what', 'against'],
      formats.map(({ provider, checked, what, package: sdk, document }) => [
        code(`${provider}/`),
        checked,
        what,
        sdk === undefined ? document! : `${code(sdk)} ${versions[sdk]}`,
      ]),
    ),
    '',
  ].join('\n');
}

/** Names of variables and addresses as code. */
function asCode(text: string): string {
  return text.replaceAll(/\b[A-Z]+(?:_[A-Z]+)+\b|https?:\/\/[^\s,;)]+/g, (name) => code(name));
}
