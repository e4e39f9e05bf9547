/** What the matchers ask, as functions that answer violations. */
export { auditContract } from './contract-audit.ts';
export { NotJudgedError } from './not-judged.ts';
export type { Observed, Violation } from './observed.ts';
export { auditSchedule } from './schedule-audit.ts';
export { auditSignatures } from './signature-audit.ts';
