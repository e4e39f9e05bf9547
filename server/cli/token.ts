import { parseArgs } from 'node:util';
import { issueToken } from '../resources/access-tokens.ts';
import { DataFolderUnusable } from '../storage/file/open-file-storage.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Place } from '../storage/place.ts';
import { systemClock } from '../system-clock.ts';
import { type Command, stderrLog, UsageError } from './command.ts';
import { PLACE_FLAGS, placeOf, requireData } from './place.ts';

/** The way back when every token is lost; routers that run create tokens through their API. */
export const token: Command = {
  name: 'token',
  help: `Usage: waybill token create [--storage <place>] [--json]

Creates an access token with write scope for all workspaces, and prints it. It
is the way back when every token is lost. No router may use a folder meanwhile:
stop it first, or create the token through its API, POST /v1beta/access-tokens.
Routers that share a database may run on.

  --storage <place>    file:<folder> or postgres://...; default WAYBILL_STORAGE,
                       or file:./data
  --data-dir <folder>  short for --storage file:<folder>
  --json               {"token": "…"} instead of the bare token
  --help               this text

Exit code: 0 when the token was created, 1 when the storage cannot be used, 2
for a command that cannot be understood.`,
  run: async (args) => {
    const { json, ...flags } = read(args);
    const plaintext = await createToken(placeOf(flags)).catch(withOtherWay);
    process.stdout.write(`${json ? JSON.stringify({ token: plaintext }) : plaintext}\n`);
    return 0;
  },
};

const FLAGS = { ...PLACE_FLAGS, json: { type: 'boolean', default: false } } as const;

function read(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: FLAGS, allowPositionals: true });
    if (positionals.join(' ') !== 'create') throw new Error(`${JSON.stringify(positionals.join(' '))} is not "create"`);
    return values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Refuses a folder that a router uses: opening its stores takes the lock that routers take. */
async function createToken(place: Place): Promise<string> {
  if (place.engine === 'file')
    requireData(place.folder, 'or start a router on this one: its first start makes a token');
  await using opened = new AsyncDisposableStack();
  const storage = await openStorage(place.url, stderrLog);
  opened.defer(() => storage.close());
  const wanted = { description: 'made by waybill token create', scopes: 'workspace' } as const;
  const { stored, plaintext } = issueToken(wanted, systemClock.now());
  await storage.resources.create('access-tokens', stored);
  return plaintext;
}

function withOtherWay(error: unknown): never {
  if (!(error instanceof DataFolderUnusable)) throw error;
  const way = 'Tokens of a running router are created through its API: POST /v1beta/access-tokens.';
  throw new DataFolderUnusable(`${error.message}\n${way}`, { cause: error });
}
