import { createReadStream, type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { isWritable } from '../../server/model/moments.ts';
import { messageOf } from '../../server/thrown.ts';
import { isObject } from '../contract/schemas.ts';
import { CommandFailed } from '../failure.ts';

/** An event, as far as it is compared. */
export interface Seen {
  readonly type: string;
  /** When it was received, in milliseconds since the epoch. */
  readonly at: number;
}

/** As archives of raw events call it. */
const TIMES = ['receivedAt', 'received_at', 'timestamp'];

/** The events of files with one JSON object a line, unpacked where the name ends with `.gz`. Of a folder, all files at any depth. */
export async function* eventsIn(path: string): AsyncGenerator<Seen> {
  for (const file of filesOf(path)) {
    let line = 0;
    for await (const text of linesOf(file)) {
      line += 1;
      if (text.trim() !== '') yield eventOf(text, `${file}:${line}`);
    }
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const packed = createReadStream(file);
  const input = file.endsWith('.gz') ? packed.pipe(createGunzip()) : packed;
  // A stream that is piped does not pass its errors on.
  packed.on('error', (error) => input.destroy(error));
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (cause) {
    // What is wrong with a packed file is told without its name.
    throw new CommandFailed(`${file} cannot be read to its end: ${messageOf(cause)}`, { cause });
  }
}

function filesOf(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const visible = entries.filter(({ name }) => !name.startsWith('.'));
  const files = visible.filter((entry) => entry.isFile() || (entry.isSymbolicLink() && leadsToFile(pathOf(entry))));
  return files.map(pathOf).toSorted();
}

function pathOf({ parentPath, name }: Dirent): string {
  return join(parentPath, name);
}

/** Archives may be on another disk. What is passed over without a word would count as lost; links to folders may have no end. */
function leadsToFile(link: string): boolean {
  if (!statSync(link).isDirectory()) return true;
  throw new CommandFailed(`${link} is a link to a folder: give that folder as another archive of the source`);
}

function eventOf(text: string, place: string): Seen {
  const event = parsed(text);
  const type = event['type'];
  const times = TIMES.map((name) => event[name]).flatMap((value) =>
    typeof value === 'string' ? [Date.parse(value)] : [],
  );
  const at = times.find(isWritable);
  if (typeof type === 'string' && at !== undefined) return { type, at };
  throw new CommandFailed(`${place} is no event: it needs "type", and a time as "receivedAt" or "timestamp"`);
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
