import { randomBytes, randomInt } from 'node:crypto';
import { lettersAndDigits } from '../random-token.ts';

/** Ten hex digits, as workspaces and sources have them. */
export function newId(): string {
  return randomBytes(5).toString('hex');
}

/** D-10. */
export function newWriteKey(): string {
  return lettersAndDigits(32);
}

/** CFG-4, D-4. */
export function newPlanId(): string {
  return `rs_${lettersAndDigits(27)}`;
}

export function newFilterId(): string {
  return `df_${lettersAndDigits(27)}`;
}

/** D-12. */
export function newRegulationId(): string {
  return `rg_${lettersAndDigits(27)}`;
}

/** Clients take the id of a token for an integer, so it is one that every language can hold exactly. */
export function newTokenId(): string {
  return String(randomInt(10 ** 13, 10 ** 14));
}

/** Two base64url halves of 43 characters, joined by a dot: 512 random bits. */
export function newTokenPlaintext(): string {
  return `${half()}.${half()}`;
}

function half(): string {
  return randomBytes(32).toString('base64url');
}
