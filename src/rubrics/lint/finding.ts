/** Something in a rubric that is allowed and probably not meant. */
export interface Finding {
  readonly code:
    | 'negated_forbidden'
    | 'unused_forbidden'
    | 'compound'
    | 'overlap'
    | 'vague'
    | 'too_long'
    | 'no_source'
    | 'no_description';
  /** The trait and the line: `Coverage: tp_instructions[2]`. */
  readonly where: string;
  readonly message: string;
  readonly suggestion: string;
}
