import { canonicalJson } from '../core/canonical-json.ts';
import { code, muted, paragraph, section, table } from '../reports/document/blocks.ts';
import type { Block, Inline, Section } from '../reports/document/document.ts';
import { DASH, dateText } from '../reports/words.ts';
import type { Run } from '../store/run.ts';
import { RunFile } from '../store/run-file.ts';
import { describeSettings } from '../store/run-settings.ts';
import type { DifferencesPayload, RunLine } from './api.ts';
import type { OpenRun, OpenRuns } from './open-runs.ts';
import { withoutNotes } from './withhold-text.ts';

/** In what two runs differ before any answer: settings, and the lines of their prompts. */
export function differencesPayload(
  runs: OpenRuns,
  { runs: ids }: { readonly runs: readonly string[] },
): DifferencesPayload {
  const [a, b] = ids.slice(0, 2).map((id) => runs.find(id)) as [OpenRun, OpenRun];
  const [first, second] = [a, b].map(readManifest) as [Run, Run];
  return {
    runs: [shownLine(runs, a), shownLine(runs, b)],
    sections: [
      settingsSection(listSettings(a, first), listSettings(b, second)),
      promptSection(first, second),
    ],
  };
}

/** What people wrote about a protected run stays on this machine. */
function shownLine(runs: OpenRuns, run: OpenRun): RunLine {
  return runs.withholds(run) ? withoutNotes(run.line) : run.line;
}

function readManifest({ path }: OpenRun): Run {
  return RunFile.use(path, (file) => file.manifest());
}

function listSettings({ line }: OpenRun, run: Run): Readonly<Record<string, string>> {
  const { model, suite, created_at: createdAt } = line;
  const rest = {
    ...(run.scoring !== null && { scoring: canonicalJson(run.scoring) }),
    ...(run.egress !== null && { host: run.egress.host }),
  };
  return { model, suite, started: dateText(createdAt), ...describeSettings(run), ...rest };
}

function settingsSection(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): Section {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const differing = names.filter((name) => a[name] !== b[name]);
  const nSame = names.length - differing.length;
  return section({ id: 'settings', title: 'Settings that differ' }, [
    table(
      'Settings that differ',
      ['setting', 'A', 'B'],
      differing.map((name) => [name, a[name] ?? DASH, b[name] ?? DASH]),
    ),
    paragraph(`${nSame} other settings are the same in both runs.`, { tone: 'small' }),
  ]);
}

/** Longer prompts are compared as wholes: comparing lines takes time that grows with their product. */
const MAX_LINES = 500;

/** The prompts of a run as lines: its instructions, and a template of the user's own. */
function promptLines({ instructions, promptTemplate }: Run): string[] {
  const messages = (promptTemplate ?? []).map(({ role, content }) => `${role}: ${content}`);
  return [instructions ?? '', ...messages].flatMap((text) => (text === '' ? [] : text.split('\n')));
}

function promptSection(a: Run, b: Run): Section {
  const [first, second] = [promptLines(a), promptLines(b)];
  const isLong = Math.max(first.length, second.length) > MAX_LINES;
  const blocks = (): Block[] => {
    if (first.length === 0 && second.length === 0)
      return [paragraph('Neither file holds instructions: the prompt can be compared by its hash alone.')];
    if (first.join('\n') === second.join('\n')) return [paragraph('The instructions are the same.')];
    if (isLong) return [paragraph('The instructions differ, and are too long to compare line by line.')];
    return [
      table(
        'Lines of the instructions that differ',
        ['only in', { title: 'line', kind: 'text' }],
        changedLines(first, second).map(([side, text]): Inline[] => [
          muted(side),
          text === '' ? muted('an empty line') : code(text),
        ]),
      ),
    ];
  };
  return section({ id: 'prompt', title: 'Prompt' }, blocks());
}

/** The lines that only one of two texts has, in order: what a longest common subsequence leaves out. */
export function changedLines(
  a: readonly string[],
  b: readonly string[],
): readonly (readonly ['A' | 'B', string])[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i]![j] =
        a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const changed: ['A' | 'B', string][] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!))
      changed.push(['A', a[i++]!]);
    else changed.push(['B', b[j++]!]);
  }
  return changed;
}
