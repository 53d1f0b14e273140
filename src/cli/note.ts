import { Command } from '@commander-js/extra-typings';
import { plain } from '../core/plain-text.ts';
import { findRun } from '../store/find-run.ts';
import { changeNotes, type RunNotes, readNotes } from '../store/run-notes.ts';
import { usageError } from './errors.ts';
import { readNames } from './options/option.ts';
import { print } from './print.ts';

const NOTES = `
Notes are kept beside the run file, in RUN.notes.json; the run file does not
change. krisis list and krisis view show them. Without an option, prints them.

Examples:
  krisis runs note latest --name 'second prompt' --tag baseline,2026
  krisis runs note simulated-careful --note 'batches of 5; see the protocol'
  krisis runs note simulated-careful --untag baseline --hide
  krisis runs note latest
`;

/** `krisis runs note RUN`: a name, a note and tags for a run, and whether lists show it. */
export function noteCommand() {
  return new Command()
    .argument('<run>', 'run file, part of its name, or latest')
    .option('--name <text>', "what lists call the run; '' removes it")
    .option('--note <text>', "a note on the run; '' removes it")
    .option('--tag <tags>', 'add tags (a,b)', readNames)
    .option('--untag <tags>', 'remove tags (a,b)', readNames)
    .option('--hide', 'leave the run out of lists')
    .option('--show', 'list the run again')
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', NOTES)
    .action((typed, { name, note, tag = [], untag = [], hide, show, json }) => {
      if (hide && show) throw usageError('--hide and --show exclude each other');
      const path = findRun(typed);
      const before = readNotes(path);
      const { tags } = before;
      const unknown = untag.find((one) => !tags.includes(one));
      if (unknown !== undefined)
        throw usageError(
          `--untag ${plain(unknown)}: the run does not have this tag; it has ${tags.map(plain).join(', ') || 'none'}`,
        );
      const change = {
        ...(name !== undefined && { name }),
        ...(note !== undefined && { note }),
        ...(tag.length + untag.length > 0 && {
          tags: [...tags.filter((one) => !untag.includes(one)), ...tag],
        }),
        ...((hide || show) && { hidden: hide === true }),
      };
      const notes = Object.keys(change).length === 0 ? before : changeNotes(path, change);
      print(json, 'note', { run_file: path, ...notes }, notesText(path, notes));
    });
}

function notesText(path: string, { name, note, tags, hidden }: RunNotes): string {
  const lines = [
    plain(path),
    ...(name === null ? [] : [`  name: ${plain(name)}`]),
    ...(tags.length === 0 ? [] : [`  tags: ${tags.map(plain).join(', ')}`]),
    ...(note === null
      ? []
      : [
          `  note: ${note
            .split(/\r\n|\r|\n/)
            .map(plain)
            .join('\n        ')}`,
        ]),
    ...(hidden ? ['  hidden from lists'] : []),
  ];
  return `${lines.length === 1 ? `${lines[0]}: no notes` : lines.join('\n')}\n`;
}
