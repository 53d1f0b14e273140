import { plain } from '../core/index.ts';
import type { RunResult } from '../results/index.ts';
import { displayWidth } from './layout/wrap.ts';
import TITLES from './warning-titles.json' with { type: 'json' };

type Warned = Pick<RunResult, 'backendName' | 'warnings'>;

/** The warnings of several models, one line for each kind: what it is, and whom it is about. A warning without a short title keeps its own text. */
export function groupedWarnings(runs: readonly Warned[], width: number): string[] {
  const titles: Readonly<Record<string, string>> = TITLES;
  const warned = runs.flatMap(({ backendName, warnings }) =>
    warnings.map(({ code, message }) => ({
      text: titles[code] ?? plain(message).replace(/\.$/, ''),
      name: plain(backendName),
    })),
  );
  return [...Map.groupBy(warned, ({ text }) => text)].map(([text, group]) => {
    const names = [...new Set(group.map(({ name }) => name))];
    if (names.length === runs.length && names.length > 1)
      return `${names.length === 2 ? 'both' : `all ${names.length}`} models: ${text}`;
    return `${text}: ${someOf(names, width - displayWidth(text) - 2)}`;
  });
}

/** As many names as there is room for, and how many more there are. */
function someOf(names: readonly string[], width: number): string {
  for (let n = names.length; n > 0; n--) {
    const left = names.length - n;
    const text = `${names.slice(0, n).join(', ')}${left === 0 ? '' : ` and ${left} more`}`;
    if (displayWidth(text) <= width) return text;
  }
  return names.length === 1 ? names[0]! : `${names.length} models`;
}
