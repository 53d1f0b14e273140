/** How a command can end. A failed check is never mistaken for a fault, and a fault of ours never looks like success. */
export const EXIT = {
  done: 0,
  found: 1,
  usage: 2,
  open: 3,
  crash: 70,
  interrupted: 130,
} as const;

/** What each exit code means, and what to do then; the reference shows it. */
export const EXIT_CODES: Readonly<Record<number, { readonly means: string; readonly next: string }>> = {
  [EXIT.done]: { means: 'Done: every condition passed.', next: 'Nothing.' },
  [EXIT.found]: {
    means:
      'A check failed: a condition, a conformance case, a probe of a judge, a finding of `check --strict`, an alarm of `drift`, or a changed run file (`runs verify`). Also: you declined to delete a run.',
    next: 'Read the line that names the check.',
  },
  [EXIT.usage]: {
    means: 'The command line, a file or a setting is not valid, or a model could not be used.',
    next: 'Correct what the message names, and repeat the command. A model that was left out asks nothing; the others ran.',
  },
  [EXIT.open]: {
    means:
      'Open: a run is incomplete, a condition is undecided, `drift` has no verdict, or a file cannot be verified.',
    next: 'Read the last line of the output. An incomplete run: repeat the same command, which asks only what is missing. An undecided condition without failed calls: ask more cases, or lower the claim. A merge: add the missing parts. After `--detach`: repeat the command later. An unsealed file: its command was killed; continue the run.',
  },
  [EXIT.crash]: {
    means: 'A fault of Krisis.',
    next: 'Set `KRISIS_DEBUG=1` to see the stack, and report it.',
  },
  [EXIT.interrupted]: {
    means: 'Interrupted with Ctrl-C.',
    next: 'Repeat the same command: finished cases are kept.',
  },
};
