#!/usr/bin/env node
/** `waybill-certify-sender`: what a sender of webhooks does with endpoints that fail, shown with its own requests. */
import { CertifyError } from '../certify/certify-error.ts';
import { ListenError } from '../receiver/listener.ts';
import { HELP } from './certify-sender/help.ts';
import { readSenderOptions } from './certify-sender/options.ts';
import { runCertifySender } from './certify-sender/run.ts';
import { FlagError } from './flag-values.ts';
import { complain, outliveOutput } from './terminal.ts';

outliveOutput();
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const options = readSenderOptions(args);
    if (options !== 'help') return await runCertifySender(options);
    console.log(HELP);
    return 0;
  } catch (error) {
    // Wrong flags, files and ports that cannot be used, a trigger that fails: all of them are the caller's.
    if (!(error instanceof CertifyError || error instanceof FlagError || error instanceof ListenError)) throw error;
    return complain(error.message, 2);
  }
}
