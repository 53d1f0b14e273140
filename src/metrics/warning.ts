/** What a reader must know before quoting a number. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  /** The models of a comparison that it is about. Default: the run, or as the message says. */
  readonly models?: readonly string[];
}

/** The codes of warnings of harm, the gravest first. */
export const HARM_CODES: readonly string[] = [
  'missed_emergencies',
  'emergencies_unknown',
  'false_alarms',
  'answered_should_defer',
  'wrong_answers',
  'deferred_without_need',
  'overconfident',
  'confidence_inverted',
  'confidence_uninformative',
  'two_answers',
  'quoted_from_record',
];

/** Whether a warning names a fault of the model rather than a limit of the numbers. */
export function isHarmWarning({ code }: { readonly code: string }): boolean {
  return HARM_CODES.includes(code);
}

/** What a model did that can harm a patient or make it useless, in words, the gravest first. */
export function nameFaults(warnings: readonly Warning[]): string[] {
  return warnings.filter(isHarmWarning).map(({ message }) => message);
}
