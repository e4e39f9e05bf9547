#!/usr/bin/env node
/** `waybill-simulate`: the delivery engine in virtual time, through a named outage or through worlds of mixed faults. */
import { outliveOutput } from './terminal.ts';
import { OUTAGES } from '../outages/outages.ts';
import { HELP } from './simulate/help.ts';
import { runHunt } from './simulate/hunt-run.ts';
import { readOptions, type SimulateOptions } from './simulate/options.ts';
import { ReportError, runOutage } from './simulate/outage-run.ts';

outliveOutput();
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  let options: SimulateOptions;
  try {
    options = readOptions(args);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 2;
  }
  switch (options.mode) {
    case 'help':
      console.log(HELP);
      return 0;
    case 'list':
      for (const { name, story, expects } of OUTAGES) console.log(`${name}\n  ${story}\n  expected: ${expects}\n`);
      return 0;
    case 'hunt':
      return runHunt(options);
    case 'outage':
      try {
        return await runOutage(options);
      } catch (error) {
        if (!(error instanceof ReportError)) throw error;
        console.error(error.message);
        return 2;
      }
  }
}
