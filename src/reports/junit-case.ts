import { xmlText } from './xml-text.ts';

/** One test of a JUnit file. */
export interface JunitCase {
  readonly name: string;
  readonly failure?: { readonly type: string; readonly message: string };
  readonly skipped?: string;
  readonly properties?: readonly (readonly [string, string])[];
  readonly out?: string;
}

interface JunitSuite {
  readonly name: string;
  /** What its tests are grouped under. */
  readonly group: string;
  readonly cases: readonly JunitCase[];
  readonly properties: readonly (readonly [string, string])[];
  readonly seconds: number | null;
  readonly timestamp: string | null;
  readonly out: string;
}

/** A JUnit file with one suite of tests. */
export function junitDocument({
  name,
  group,
  cases,
  properties,
  seconds,
  timestamp,
  out,
}: JunitSuite): string {
  const nFailures = cases.filter(({ failure }) => failure !== undefined).length;
  const nSkipped = cases.filter(({ skipped }) => skipped !== undefined).length;
  const counts = `tests="${cases.length}" failures="${nFailures}" errors="0" skipped="${nSkipped}"`;
  const time = seconds === null ? '' : ` time="${seconds.toFixed(3)}"`;
  const made = timestamp === null ? '' : ` timestamp="${xmlText(timestamp)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="krisis" ${counts}${time}>`,
    `  <testsuite name="${xmlText(name)}" ${counts}${time}${made}>`,
    ...propertyLines(properties, '    '),
    ...cases.flatMap((one) => caseLines(one, group)),
    ...outLines(out, '    '),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseLines(
  { name, failure, skipped, properties = [], out = '' }: JunitCase,
  group: string,
): string[] {
  const head = `    <testcase classname="${xmlText(group)}" name="${xmlText(name)}"`;
  const inside = [
    ...propertyLines(properties, '      '),
    ...(failure
      ? [`      <failure type="${xmlText(failure.type)}" message="${xmlText(failure.message)}"/>`]
      : []),
    ...(skipped === undefined ? [] : [`      <skipped message="${xmlText(skipped)}"/>`]),
    ...outLines(out, '      '),
  ];
  return inside.length === 0 ? [`${head}/>`] : [`${head}>`, ...inside, '    </testcase>'];
}

function propertyLines(properties: readonly (readonly [string, string])[], blanks: string): string[] {
  if (properties.length === 0) return [];
  return [
    `${blanks}<properties>`,
    ...properties.map(
      ([name, value]) => `${blanks}  <property name="${xmlText(name)}" value="${xmlText(value)}"/>`,
    ),
    `${blanks}</properties>`,
  ];
}

function outLines(text: string, blanks: string): string[] {
  return text === '' ? [] : [`${blanks}<system-out>${xmlText(text)}</system-out>`];
}
