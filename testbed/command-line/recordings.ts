import { differences } from '../recording/differences.ts';
import { recordedLine } from '../recording/recording.ts';
import { redacted } from '../recording/redacted.ts';
import { FlagError, type FlagKind, readValues } from './flag-values.ts';
import { readRequests } from './replay.ts';
import { complain, say } from './terminal.ts';

const RECORDING_FLAGS = { secret: 'list', json: 'switch', help: 'switch' } as const satisfies Record<string, FlagKind>;

const UNREADABLE = 2;

export interface RecordingFlags {
  readonly files: readonly string[];
  readonly secrets: readonly string[];
  readonly json: boolean;
  readonly help: boolean;
}

/** What follows the words `diff` and `redact`: so many files. */
export function readRecordingFlags(word: 'diff' | 'redact', args: readonly string[]): RecordingFlags {
  const wanted = word === 'diff' ? 2 : 1;
  const { values, words: files } = readValues(args, RECORDING_FLAGS, wanted);
  const help = values.help !== undefined;
  if (!help && files.length < wanted)
    throw new FlagError(
      word === 'diff'
        ? 'diff needs two recordings; write diff <before> <after>'
        : 'redact has no file; write redact <file>',
    );
  if (word === 'diff' && values.secret !== undefined) throw new FlagError('--secret is for redact; leave it out');
  return { files, secrets: (values.secret ?? []).map(String), json: values.json !== undefined, help };
}

/** What changed between two recordings; answers 0 when nothing did, 1 when something did. */
export async function runDiff({ files: [before = '', after = ''], json }: RecordingFlags): Promise<number> {
  const [old, now] = [await readRequests(before), await readRequests(after)];
  if ('failure' in old) return complain(old.failure, UNREADABLE);
  if ('failure' in now) return complain(now.failure, UNREADABLE);
  const found = differences(old.requests, now.requests);
  if (!json) say(found.length === 0 ? ['No differences.'] : found);
  else if (found.length > 0) say(found.map((words) => JSON.stringify({ kind: 'difference', words })));
  return found.length === 0 ? 0 : 1;
}

/** Writes a recording without its credentials to the standard output. */
export async function runRedact({ files: [file = ''], secrets }: RecordingFlags): Promise<number> {
  const recording = await readRequests(file);
  if ('failure' in recording) return complain(recording.failure, UNREADABLE);
  return say(recording.requests.map((request) => recordedLine(redacted(request, secrets))));
}
