#!/usr/bin/env node
/** `waybill-receiver`: a webhook endpoint for people; `replay`, `redact` and `diff` are for its recordings. */
import { ScriptError } from '../fault-script/script-error.ts';
import { RecordingError } from '../recording/sink.ts';
import { ListenError } from '../receiver/listener.ts';
import { FlagError } from './flag-values.ts';
import { readFlags } from './flags.ts';
import { HELP } from './help.ts';
import { readRecordingFlags, runDiff, runRedact } from './recordings.ts';
import { runReplay } from './replay.ts';
import { readReplayFlags } from './replay-flags.ts';
import { serve } from './serve.ts';
import { complain, say } from './terminal.ts';

const FAILED = 1;
const MISUSED = 2;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const [word, ...rest] = args;
    if (word === 'replay') return await replayFrom(rest);
    return word === 'diff' || word === 'redact' ? await recordingsWith(word, rest) : await serveWith(args);
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

async function recordingsWith(word: 'diff' | 'redact', args: readonly string[]): Promise<number> {
  const flags = readRecordingFlags(word, args);
  if (flags.help) return say([HELP]);
  return word === 'diff' ? runDiff(flags) : runRedact(flags);
}

async function replayFrom(args: readonly string[]): Promise<number> {
  const flags = readReplayFlags(args);
  return flags.help ? say([HELP]) : runReplay(flags);
}
