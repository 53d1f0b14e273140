/** The column that numbers the respondents, and by which files are joined. */
export const SEQN = 'SEQN';
export const NHANES_TITLE = 'NHANES files (CSV or XPT)';
export const NHANES_ENDINGS = ['xpt'] as const;

/** Whether a file with these columns is a file of the survey. */
export function isNhanesHeader(header: readonly string[]): boolean {
  return header.some((name) => name.trim().toUpperCase() === SEQN);
}
