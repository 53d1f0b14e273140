/**
 * Every code that a {@link KrisisError} can have, with its meaning. `docs/errors.md` lists them. One line each, in alphabetical order.
 */
export const ERROR_CODES = {
  ERR_API_KEY: "A provider's key is missing, or is not one.",
  ERR_ARGUMENT: 'A function got a number, a list or a definition it cannot work with.',
  ERR_BAD_INPUT: 'A file, a value or an argument is not what was expected; the message says what was.',
  ERR_BASELINE_NOT_APPLICABLE:
    'A baseline cannot answer this suite: it lacks a guideline or a training part, or is another one.',
  ERR_BASE_URL: "A provider's address is missing, or is not one.",
  ERR_CASE_FILE: 'A file of reference cases cannot be read or is not one.',
  ERR_CLINICAL_VALUE:
    'A clinical equation or rule was given a value that no patient can have, or inputs that do not fit together.',
  ERR_DATA_FILE: 'A data file has problems; the message lists up to 20 of them, `value` all.',
  ERR_EXPORT_EXISTS: 'The folder already contains an export of the viewer.',
  ERR_EXPORT_FOLDER_INVALID:
    'An export cannot be written there: the folder has other contents, or is not a folder.',
  ERR_FILE_UNREADABLE: 'A file is missing, cannot be read, or is not in a known format.',
  ERR_FORMAT_NOT_AVAILABLE: 'The report format does not offer this kind of report.',
  ERR_GROUP_KEY_NOT_FOUND: 'No row has the metadata key to group by.',
  ERR_HUMAN_LABELS: 'A file of human labels is empty, or one of its lines is not valid.',
  ERR_INTERNAL: 'A fault of Krisis itself.',
  ERR_JUDGE_NOT_IN_RUN: 'The run holds no verdicts of the judge that was asked for.',
  ERR_JUDGE_WITHOUT_TEXT: 'The model chosen as judge cannot write text.',
  ERR_METADATA_KEY_MISSING: 'Rows are to be grouped or clustered by a metadata key they do not have.',
  ERR_METRIC_NOT_FOUND: 'No metric has this name.',
  ERR_MODEL_NOT_FOUND: 'No provider, baseline or simulated model has this name.',
  ERR_MODEL_SETTING: 'A setting of a model has a value it cannot have.',
  ERR_NOT_JSON: 'A value has no JSON form.',
  ERR_NOT_OPEN_QUESTIONS: 'The run holds labels, and answers to open questions were expected.',
  ERR_NO_ROWS: 'A report needs the rows of a run that was imported without them.',
  ERR_OPTION_NOT_APPLICABLE: 'An option was given that means nothing for this kind of suite or run.',
  ERR_PACKAGE_MISSING: 'A provider needs a package that is not installed.',
  ERR_PORT_UNAVAILABLE: 'The server cannot listen on the host and port.',
  ERR_QUESTIONS_INVALID: 'Questions, or a file of them, are not valid; the message lists every problem.',
  ERR_RECORD_FILTER_INVALID: 'A filter of records has an unknown name or a value that it cannot have.',
  ERR_RECORD_NOT_FOUND: 'The run has no such record.',
  ERR_ROW_FILE: 'A file of rows cannot be read, or one of its rows is not valid.',
  ERR_RUBRIC_INVALID: 'A rubric, or a trait of one, is not valid; the message lists every problem.',
  ERR_RUNS_NOT_COMPARABLE: 'The runs do not share the records or labels that a comparison needs.',
  ERR_RUN_NOT_FOUND: 'There is no such run.',
  ERR_SUITE_AMBIGUOUS: 'Two suites have the name that was asked for.',
  ERR_SUITE_DEFINITION: 'The definition, the task or the records of a suite are not valid.',
  ERR_SUITE_NOT_FOUND: 'No suite has this name.',
  ERR_SUITE_OPTION: 'The suite does not take this option, this value of it, or this combination of options.',
  ERR_SUITE_PROTECTED: 'Patient data of a protected suite would leave the program, which was not allowed.',
  ERR_USAGE: 'The command line cannot be understood, or its options contradict each other.',
  ERR_VIEWER_NOT_BUILT: 'The files of the viewer are missing.',
  ERR_VIEW_ADDRESS_INVALID: 'An address of the viewer lacks a parameter.',
  ERR_VIEW_NOT_FOUND: 'The viewer has nothing at this address.',
} as const;

/** The kind of an error: stable, for programs that handle some of them. */
export type ErrorCode = keyof typeof ERROR_CODES;
