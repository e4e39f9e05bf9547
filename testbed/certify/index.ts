/** More of the certificate: signed statements that anybody can verify. */
export { CertifyError } from './certify-error.ts';
export { signStatement, verifyStatement } from './statement.ts';
export type { SignedStatement, Statement, Verification } from './statement.ts';
