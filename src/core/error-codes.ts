/**
 * Every code that a {@link KrisisError} can have, with what it means. `docs/errors.md` lists them. One line each, in alphabetical order.
 */
export const ERROR_CODES = {
  ERR_BAD_INPUT: 'A file, a value or an argument is not what was expected; the message says what was.',
  ERR_CLINICAL_VALUE:
    'A clinical equation or rule was given a value that no patient can have, or inputs that do not fit together.',
  ERR_INTERNAL: 'A fault of Krisis itself.',
  ERR_OPTION_NOT_APPLICABLE: 'An option was given that means nothing for this kind of suite or run.',
  ERR_SUITE_AMBIGUOUS: 'Two suites have the name that was asked for.',
  ERR_SUITE_NOT_FOUND: 'No suite has this name.',
  ERR_SUITE_OPTION: 'The suite does not take this option.',
  ERR_USAGE: 'The command line cannot be understood, or its options contradict each other.',
} as const;

/** What kind of error it is: stable, for programs that handle some of them. */
export type ErrorCode = keyof typeof ERROR_CODES;
