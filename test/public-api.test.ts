import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** The types whose every field a user fills in or reads. */
const READ_OR_FILLED_IN =
  /^(Api|Backend|Benchmark|Bundle|Compare|EvaluationResult|Krisis|Metric|PatientRecord|Read|Run|Score|Scoring|Suite|Task)/;

const entries = ['src/index.ts', ...globSync('src/entries/*.ts')];
const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.');
const program = ts.createProgram(entries, options);
const checker = program.getTypeChecker();

function exportsOf(entry: string): ts.Symbol[] {
  const file = checker.getSymbolAtLocation(program.getSourceFile(entry)!)!;
  return checker
    .getExportsOfModule(file)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
}

function isDocumented(symbol: ts.Symbol): boolean {
  return symbol.getDocumentationComment(checker).length > 0;
}

describe.each(entries)('%s', (entry) => {
  it('documents every export', () => {
    const silent = exportsOf(entry).filter((symbol) => !isDocumented(symbol));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('documents every field of the types that a user fills in or reads', () => {
    const silent = exportsOf(entry).flatMap((symbol) => {
      const [declaration] = symbol.declarations ?? [];
      if (declaration === undefined || !ts.isInterfaceDeclaration(declaration)) return [];
      if (!READ_OR_FILLED_IN.test(symbol.name)) return [];
      return declaration.members.flatMap(({ name }) => {
        const field = name && checker.getSymbolAtLocation(name);
        return field === undefined || isDocumented(field) ? [] : [`${symbol.name}.${field.name}`];
      });
    });
    expect(silent).toEqual([]);
  });
});

it('keeps the core small', () => {
  expect(exportsOf('src/index.ts').length).toBeLessThanOrEqual(75);
});

it('runs no script when it is installed, about which npm would warn', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
    expect(Object.keys(scripts)).not.toContain(name);
});
