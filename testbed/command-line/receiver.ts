#!/usr/bin/env node
/** `waybill-receiver`: a webhook endpoint for people; `waybill-receiver replay <file>` sends a recording again. */
import { ScriptError } from '../fault-script/script-error.ts';
import { RecordingError } from '../recording/sink.ts';
import { ListenError } from '../receiver/listener.ts';
import { FlagError } from './flag-values.ts';
import { readFlags } from './flags.ts';
import { HELP } from './help.ts';
import { runReplay } from './replay.ts';
import { readReplayFlags } from './replay-flags.ts';
import { serve } from './serve.ts';
import { complain, say } from './terminal.ts';

const FAILED = 1;
const MISUSED = 2;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    return args[0] === 'replay' ? await replayFrom(args.slice(1)) : await serveWith(args);
  } catch (error) {
    if (error instanceof FlagError || error instanceof ScriptError) return complain(error.message, MISUSED);
    if (error instanceof ListenError || error instanceof RecordingError) return complain(error.message, FAILED);
    throw error;
  }
}

async function serveWith(args: readonly string[]): Promise<number> {
  const flags = readFlags(args);
  return flags.help ? say([HELP]) : serve(flags);
}

async function replayFrom(args: readonly string[]): Promise<number> {
  const flags = readReplayFlags(args);
  return flags.help ? say([HELP]) : runReplay(flags);
}
