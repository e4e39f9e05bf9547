import { parseArgs } from 'node:util';
import { issueToken } from '../resources/access-tokens.ts';
import { DataFolderUnusable } from '../storage/file/open-file-storage.ts';
import { openStorage } from '../storage/open-storage.ts';
import { systemClock } from '../system-clock.ts';
import { type Command, stderrLog, UsageError } from './command.ts';
import { dataFolder, requireData } from './data-folder.ts';

/** The way back when every token is lost; routers that run create tokens through their API. */
export const token: Command = {
  name: 'token',
  help: `Usage: waybill token create [--data-dir <folder>] [--json]

Creates an access token with write scope for all workspaces, and prints it. It
is the way back when every token is lost. No router may use the folder: stop it
first, or create the token through its API, POST /v1beta/access-tokens.

  --data-dir <folder>  default WAYBILL_DATA_DIR, or ./data
  --json               {"token": "…"} instead of the bare token
  --help               this text

Exit code: 0 when the token was created, 1 when the folder cannot be used, 2 for
a command that cannot be understood.`,
  run: async (args) => {
    const { folder, json } = read(args);
    const plaintext = await createToken(folder).catch(withOtherWay);
    process.stdout.write(`${json ? JSON.stringify({ token: plaintext }) : plaintext}\n`);
    return 0;
  },
};

const FLAGS = { 'data-dir': { type: 'string' }, json: { type: 'boolean', default: false } } as const;

function read(args: readonly string[]): { readonly folder: string; readonly json: boolean } {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: FLAGS, allowPositionals: true });
    if (positionals.join(' ') !== 'create') throw new Error(`${JSON.stringify(positionals.join(' '))} is not "create"`);
    return { folder: dataFolder(values['data-dir']), json: values.json };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Refuses a folder that a router uses: opening its stores takes the lock that routers take. */
async function createToken(folder: string): Promise<string> {
  requireData(folder, 'or start a router on this one: its first start makes a token');
  await using opened = new AsyncDisposableStack();
  const storage = await openStorage(`file:${folder}`, stderrLog);
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
