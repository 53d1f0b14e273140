import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { commandsOf, expectSample } from './doc-samples.ts';
import { type Emulator, startEmulator } from './emulator/server.ts';
import { krisis as krisisCommand } from './krisis.ts';
import { ENTRIES, PUBLIC_API } from './public-api.ts';
import { startView } from './view-process.ts';

/**
 * Runs every `@example` of the sources. `expression // => value` must give that value (numbers to 1e-9); the value may continue on the lines below, as
 * comments. In scope: the exports of the file itself, and the public API.
 */
const AsyncFunction = (async () => {}).constructor as new (
  ...args: string[]
) => (...args: unknown[]) => Promise<void>;

for (const file of globSync('src/**/*.ts').filter((name) => !/\.(test|test-d|d)\.ts$/.test(name))) {
  const examples = [...readFileSync(file, 'utf8').matchAll(/@example\n((?:\s*\*.*\n)*?)\s*\* ```\n/g)];
  if (examples.length === 0) continue;
  describe(file, async () => {
    const own = await import(resolve(file));
    const scope = { ...PUBLIC_API, ...own };
    examples.forEach(([, comment], i) => {
      it(`example ${i + 1}`, async () => {
        const lines = comment!.split('\n').map((line) => line.replace(/^\s*\* ?/, ''));
        const block = lines.slice(lines.indexOf('```ts') + 1);
        expectPastes(block.join('\n'));
        const code = toCode(block);
        expect(code, 'an example without a check checks nothing').toContain('__check(');
        let checks = 0;
        const check = (got: unknown, expected: unknown) => {
          checks += 1;
          expectClose(got, expected);
        };
        await new AsyncFunction('__check', ...Object.keys(scope), code)(check, ...Object.values(scope));
        expect(checks).toBeGreaterThan(0);
      });
    });
  });
}

/** The values that a text imports, by entry; types have no value. */
function importsOf(text: string): { names: string[]; entry: string }[] {
  return [...text.matchAll(/^import \{([^}]*)\} from '(krisis[^']*)';/gm)].map(([, names, entry]) => ({
    names: names!
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type ')),
    entry: entry!,
  }));
}

/** Pages whose code and commands are run. */
const MARKDOWN = ['README.md', ...globSync(['docs/*.md', 'examples/*/README.md'])];
/** Pages for developers and reports of studies: their links are checked. */
const LINKED = [
  'CHANGELOG.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync(['docs/dev/**/*.md', 'studies/*/README.md']),
];
const folder = mkdtempSync(join(tmpdir(), 'krisis-docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Commands that ask a provider whose address a variable can set are answered by the emulator. The keys of all others are taken away: no line of the docs may call anybody from here. */
let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
  for (const name of Object.keys(process.env))
    if (/API_KEY|TOKEN|ACCESS_KEY|VERTEX/.test(name)) vi.stubEnv(name, '');
  for (const provider of ['OPENAI', 'ANTHROPIC', 'OPENAI_COMPATIBLE', 'OLLAMA']) {
    vi.stubEnv(`${provider}_API_KEY`, 'sk-not-a-key');
    vi.stubEnv(`${provider}_BASE_URL`, `${emulator.url}/v1`);
  }
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await emulator.close();
});

describe.each(MARKDOWN)('%s', (file) => {
  const text = readFileSync(file, 'utf8');

  const imports = importsOf(text);
  it.runIf(imports.length > 0)('imports what its entries export', () => {
    for (const { names, entry } of imports)
      expect(Object.keys(ENTRIES[entry] ?? {}), `${entry} in ${file}`).toEqual(expect.arrayContaining(names));
  });

  for (const [i, [, block]] of [...text.matchAll(/```ts\n([\s\S]*?)```/g)].entries()) {
    it(`code ${i + 1}`, async () => {
      let checks = 0;
      const check = (got: unknown, expected: unknown) => {
        checks += 1;
        expectClose(got, expected);
      };
      expectPastes(block!);
      const code = toCode(block!.split('\n').filter((line) => !line.startsWith('import ')));
      // In scope is what the block imports, and nothing else: a reader pastes the block as it is.
      const scope = Object.fromEntries(
        importsOf(block!).flatMap(({ names, entry }) => names.map((name) => [name, ENTRIES[entry]?.[name]])),
      );
      await new AsyncFunction('__check', ...Object.keys(scope), code)(check, ...Object.values(scope));
      expect(checks).toBeGreaterThan(0);
    });
  }

  const notRun = [...text.matchAll(/```typescript\n([\s\S]*?)```/g)];
  it.runIf(notRun.length > 0)('code that is not run can be pasted', () => {
    for (const [, block] of notRun) expectPastes(block!);
  });

  const commands = commandsOf(text);
  it.runIf(commands.length > 0)('commands, and what they print', async () => {
    const root = join(folder, file.replaceAll('/', '-'));
    // The commands of an example are typed in its folder.
    const here = file.startsWith('examples/') ? join(root, dirname(file)) : root;
    cpSync('examples', join(root, 'examples'), {
      recursive: true,
      filter: (path) => !path.includes('.krisis'),
    });
    const isCompared = commands.some(({ sample }) => sample !== undefined);
    // Where only the ends of commands are checked, few resamples do.
    if (!isCompared && here === root)
      writeFileSync(join(here, 'krisis.config.yaml'), 'score: { bootstrap: 50 }\n');
    const env = isCompared ? { ...process.env, COLUMNS: '80' } : undefined;
    for (const { args, code: expected, sample } of commands) {
      if (serves(args)) {
        const view = await startView(args[1] ?? '.krisis/runs', here);
        expect((await view.fetch('api/runs')).status).toBe(200);
        await view.stop();
        continue;
      }
      const { code, stdout, stderr } = await krisisCommand(args, { cwd: here, ...(env && { env }) });
      expect([args, code, stderr]).toEqual([args, expected, expect.not.stringContaining('krisis: ')]);
      if (sample !== undefined) expectSample(stdout, sample, args.join(' '));
    }
  });
});

it.each([...LINKED, ...MARKDOWN])('%s links to files that exist', (file) => {
  const targets = [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:|mailto:)([^)#\s]+)/g)];
  expect(targets.map(([, target]) => target!).filter((to) => !existsSync(join(dirname(file), to)))).toEqual(
    [],
  );
});

it.each([...LINKED, ...MARKDOWN])('%s links to headings that exist', (file) => {
  const links = [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)];
  const dead = links.filter(([, page, anchor]) => {
    const linked = page === '' ? file : join(dirname(file), page!);
    return !anchorsOf(readFileSync(linked, 'utf8')).includes(anchor!);
  });
  expect(dead.map(([link]) => link)).toEqual([]);
});

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Turns `expression // => value` into a check. An expression may run over several lines; it begins where the statement before it ended. */
function toCode(lines: readonly string[]): string {
  const statements: string[] = [];
  let pending: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const arrow = line.indexOf('// =>');
    if (arrow < 0) {
      pending.push(line);
      if (/;\s*$/.test(line) && isComplete(pending.join('\n'))) {
        statements.push(pending.join('\n'));
        pending = [];
      }
      continue;
    }
    pending.push(line.slice(0, arrow));
    const expected = [line.slice(arrow + 5)];
    while (lines[i + 1]?.trimStart().startsWith('//') && !lines[i + 1]!.includes('// =>')) {
      expected.push(lines[++i]!.trimStart().slice(2));
    }
    // An expression that ends with a semicolon has its value on the line below.
    const text = pending.join('\n').trim() || statements.pop()!;
    const expression = text.trim().replace(/;$/, '');
    statements.push(`__check((${expression}\n), (${expected.join('\n')}));`);
    pending = [];
  }
  return stripTypeScriptTypes([...statements, ...pending].join('\n'));
}

/**
 * A block is one file when a reader pastes it: it must parse as a whole, and every checked expression must be a statement of its own. A line that begins with `[` or `(` continues
 * the line above unless that ends with a semicolon, and then the comment between them lies inside a statement.
 */
function expectPastes(block: string): void {
  expect(() => stripTypeScriptTypes(block)).not.toThrow();
  const { statements } = ts.createSourceFile('pasted.ts', block, ts.ScriptTarget.Latest, true);
  const joined = statements.map((statement) => statement.getText()).filter((text) => text.includes('// =>'));
  expect(joined, 'these lines need a semicolon between them').toEqual([]);
}

it('finds lines that run into each other when they are pasted', () => {
  expect(() => expectPastes('const a = 1;\na // => 1\n[a] // => [1]')).toThrow(/need a semicolon/);
  expect(() => expectPastes('const a = 1;\na; // => 1\n[a] // => [1]')).not.toThrow();
  expect(() => expectPastes('const a = ;')).toThrow();
});

/** `krisis view` serves until it is stopped, but for an export. */
function serves(args: readonly string[]): boolean {
  return args[0] === 'view' && !args.includes('--export');
}

function isComplete(text: string): boolean {
  try {
    stripTypeScriptTypes(text);
    return true;
  } catch {
    return false;
  }
}

function expectClose(got: unknown, expected: unknown): void {
  if (typeof expected === 'number' && typeof got === 'number' && Number.isFinite(expected)) {
    expect(Math.abs(got - expected), `got ${got}, expected ${expected}`).toBeLessThanOrEqual(1e-9);
  } else if (Array.isArray(expected) && Array.isArray(got)) {
    expect(got).toHaveLength(expected.length);
    expected.forEach((value, i) => {
      expectClose(got[i], value);
    });
  } else if (typeof expected === 'object' && expected !== null && typeof got === 'object' && got !== null) {
    expect(Object.keys(got).sort()).toEqual(Object.keys(expected).sort());
    for (const [key, value] of Object.entries(expected))
      expectClose((got as Record<string, unknown>)[key], value);
  } else {
    expect(got).toEqual(expected);
  }
}
