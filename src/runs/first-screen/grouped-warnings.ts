import { plain } from '../../core/plain-text.ts';
import { HARM_CODES, isHarmWarning, type Warning } from '../../metrics/warning.ts';
import { displayWidth } from '../../reports/layout/wrap.ts';
import type { RunResult } from '../run-result.ts';
import TITLES from './warning-titles.json' with { type: 'json' };

type Warned = Pick<RunResult, 'backendName' | 'warnings'>;

/** What could harm a patient, in full and for each model; models that miss emergencies come first. */
export function harmTexts(runs: readonly Warned[]): string[] {
  return runs
    .map(({ backendName, warnings }) => ({ name: plain(backendName), harms: warnings.filter(isHarmWarning) }))
    .filter(({ harms }) => harms.length > 0)
    .sort((a, b) => gravity(a.harms) - gravity(b.harms))
    .map(({ name, harms }) => `${name}: ${harms.map(({ message }) => plain(message)).join(' ')}`);
}

function gravity(harms: Warned['warnings']): number {
  return Math.min(...harms.map(({ code }) => HARM_CODES.indexOf(code)));
}

/** The other warnings of several models, one line for each kind: what it is, and whom it is about. A warning without a short title keeps its own text. */
export function groupedWarnings(runs: readonly Warned[], width: number): string[] {
  const titles: Readonly<Record<string, string>> = TITLES;
  const warned = runs.flatMap(({ backendName, warnings }) =>
    warnings
      .filter((warning) => !isHarmWarning(warning))
      .map(({ code, message }) => ({
        text: titles[code] ?? plain(message).replace(/\.$/, ''),
        name: plain(backendName),
      })),
  );
  return groupLines(warned, runs.length, width);
}

/** The warnings of a comparison: those of single models that have a short title in one line for each kind. */
export function comparedWarnings(
  warnings: readonly Warning[],
  { nModels, width }: { readonly nModels: number; readonly width: number },
): string[] {
  const titles: Readonly<Record<string, string>> = TITLES;
  const isTitled = ({ code, models }: Warning) => models !== undefined && titles[code] !== undefined;
  const warned = warnings
    .filter(isTitled)
    .flatMap(({ code, models = [] }) => models.map((name) => ({ text: titles[code]!, name: plain(name) })));
  return [
    ...warnings.filter((warning) => !isTitled(warning)).map(({ message }) => message),
    ...groupLines(warned, nModels, width),
  ];
}

function groupLines(
  warned: readonly { readonly text: string; readonly name: string }[],
  nModels: number,
  width: number,
): string[] {
  return [...Map.groupBy(warned, ({ text }) => text)].map(([text, group]) => {
    const names = [...new Set(group.map(({ name }) => name))];
    if (names.length === nModels && names.length > 1)
      return `${names.length === 2 ? 'both' : `all ${names.length}`} models: ${text}`;
    return `${text}: ${listSome(names, width - displayWidth(text) - 2)}`;
  });
}

/** As many names as there is room for, and how many more there are. */
function listSome(names: readonly string[], width: number): string {
  for (let n = names.length; n > 0; n--) {
    const left = names.length - n;
    const text = `${names.slice(0, n).join(', ')}${left === 0 ? '' : ` and ${left} more`}`;
    if (displayWidth(text) <= width) return text;
  }
  return names.length === 1 ? names[0]! : `${names.length} models`;
}
