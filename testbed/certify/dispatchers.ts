import { Agent } from 'undici';
import { CertifyError } from './certify-error.ts';

/** Bun has a module of its own in the place of undici, whose agents send nothing. */
export function refuseWithoutDispatchers(): void {
  if (typeof Agent.prototype.dispatch === 'function') return;
  const runtime = process.versions['bun'] === undefined ? 'this runtime' : `Bun ${process.versions['bun']}`;
  throw new CertifyError(
    `The deliveries need undici, and ${runtime} has a stand-in for it that sends nothing; run it with Node 22 or newer: npx waybill-certify, or bunx without --bun`,
  );
}
