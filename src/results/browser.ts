/** What of the results also runs in a browser. */

export { whyDifferentRecords } from './compare/why-different-records.ts';
export { emergencyClause } from './threshold/emergency-clause.ts';
