#!/usr/bin/env node
/** `waybill-certify`: whether a webhook receiver keeps the contract, shown with real deliveries of the engine. */
import { CertifyError } from '../certify/certify-error.ts';
import { FlagError } from './flag-values.ts';
import { outliveOutput } from './terminal.ts';
import { HELP } from './certify/help.ts';
import { readOptions } from './certify/options.ts';
import { runCertify } from './certify/run.ts';
import { runVerify } from './certify/verify.ts';

outliveOutput();
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const options = readOptions(args);
    switch (options.mode) {
      case 'help':
        console.log(HELP);
        return 0;
      case 'verify':
        return runVerify(options);
      case 'run':
        return await runCertify(options);
    }
  } catch (error) {
    // Wrong flags, files that cannot be used, receivers that may not be asked: all of them are the caller's.
    if (!(error instanceof CertifyError || error instanceof FlagError)) throw error;
    console.error(error.message);
    return 2;
  }
}
