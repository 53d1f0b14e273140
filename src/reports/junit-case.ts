import { xmlText } from './xml-text.ts';

/** One test of a JUnit file. */
export interface JunitCase {
  readonly name: string;
  readonly failure?: { readonly type: string; readonly message: string };
  readonly skipped?: string;
  readonly properties?: Attributes;
  readonly out?: string;
}

/** Null and undefined are left out. */
type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

interface JunitSuite {
  readonly name: string;
  /** The class name of its tests. */
  readonly group: string;
  readonly cases: readonly JunitCase[];
  readonly properties: Attributes;
  readonly seconds: number | null;
  readonly timestamp: string | null;
  readonly out: string;
}

/** A JUnit file with one suite of tests. */
export function junitDocument(suite: JunitSuite): string {
  const { name, group, cases, properties, seconds, timestamp, out } = suite;
  const counts = {
    tests: cases.length,
    failures: cases.filter(({ failure }) => failure !== undefined).length,
    errors: 0,
    skipped: cases.filter(({ skipped }) => skipped !== undefined).length,
    time: seconds?.toFixed(3),
  };
  const inside = [
    ...propertyLines(properties),
    ...cases.flatMap((one) => caseLines(one, group)),
    ...outLines(out),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    ...element(
      'testsuites',
      { name: 'krisis', ...counts },
      element('testsuite', { name, ...counts, timestamp }, inside),
    ),
    '',
  ].join('\n');
}

function caseLines({ name, failure, skipped, properties, out }: JunitCase, group: string): string[] {
  return element('testcase', { classname: group, name }, [
    ...propertyLines(properties ?? {}),
    ...(failure === undefined ? [] : element('failure', failure)),
    ...(skipped === undefined ? [] : element('skipped', { message: skipped })),
    ...outLines(out ?? ''),
  ]);
}

function propertyLines(properties: Attributes): string[] {
  const lines = Object.entries(properties).flatMap(([name, value]) =>
    value == null ? [] : element('property', { name, value }),
  );
  return lines.length === 0 ? [] : element('properties', {}, lines);
}

function outLines(text: string): string[] {
  return text === '' ? [] : [`<system-out>${xmlText(text)}</system-out>`];
}

function element(name: string, attributes: Attributes, inside: readonly string[] = []): string[] {
  const head = Object.entries(attributes)
    .filter(([, value]) => value != null)
    .map(([key, value]) => ` ${key}="${xmlText(String(value))}"`);
  if (inside.length === 0) return [`<${name}${head.join('')}/>`];
  return [`<${name}${head.join('')}>`, ...inside.map((line) => `  ${line}`), `</${name}>`];
}
