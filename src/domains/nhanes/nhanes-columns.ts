/** The column that numbers the respondents, and by which files are joined. */
export const SEQN = 'SEQN';

/** Whether a file with these columns is a file of the survey. */
export function isNhanesHeader(header: readonly string[]): boolean {
  return header.some((name) => name.trim().toUpperCase() === SEQN);
}

/** Published tables that look related and cannot give a label, by columns that give them away. */
const OTHER_DATA = [
  {
    columns: ['PREGNANCIES', 'DIABETESPEDIGREEFUNCTION'],
    why: 'this is the Pima Indians Diabetes table: its glucose is a 2-hour value of which none reaches 200 mg/dL, and its class is onset within five years, so no label can be recomputed from it',
  },
  {
    columns: ['ENCOUNTER_ID', 'READMITTED'],
    why: 'this is the table of 130 US hospitals (UCI): HbA1c is there only as none, normal, > 7 or > 8, and its class is readmission, so no label can be recomputed from it',
  },
] as const;

/** Why a published table with these columns cannot give a label; null for any other table. */
export function otherData(header: readonly string[]): string | null {
  const names = new Set(header.map((name) => name.trim().toUpperCase()));
  return OTHER_DATA.find(({ columns }) => columns.every((name) => names.has(name)))?.why ?? null;
}
