import { collectionOf } from '../model/resource-names.ts';
import { issueToken, shownToken, type ShownToken } from '../resources/access-tokens.ts';
import { inLine, safeText } from '../safe-text.ts';
import { parseFlags } from '../settings/parse-flags.ts';
import { allRows, type ConfigStore } from '../storage/config-store.ts';
import { StorageUnusable } from '../storage/errors.ts';
import { DataFolderUnusable } from '../storage/file/open-file-storage.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Place } from '../storage/place.ts';
import { systemClock } from '../system-clock.ts';
import { type Command, stderrLog, UsageError } from './command.ts';
import { keyringOfCommand, PLACE_FLAGS, placeOf, requireData } from './place.ts';
import { messageOf } from '../thrown.ts';

/** The way back when every token is lost; those of a running router are managed through its API. */
export const token: Command = {
  name: 'token',
  help: `Usage: waybill token create|list|revoke [<id>] [--storage <place>] [--json]

Works on the access tokens in the storage itself: it is the way back when every
token is lost. "create" makes a token with write scope for all workspaces, and
prints it; "list" shows all of them, none in plaintext; "revoke" removes the one
with this id. No router may use a folder meanwhile: stop it first, or use its
API, "waybill access-tokens". Routers that share a database may run on.

  --storage <place>    file:<folder> or postgres://...; default WAYBILL_STORAGE,
                       or file:./data
  --data-dir <folder>  short for --storage file:<folder>
  --source <name>      the new token is limited to this source, named in full
                       (workspaces/main/sources/web); may be repeated
  --destination <name> the same of a destination
  --json               for programs: {"token": "…"} of what was created, and one
                       object a line for each token that is listed
  --help               this text

Exit code: 0 when it was done, 1 when the storage cannot be used or has no such
token, 2 for a command that cannot be understood.`,
  run: async (args) => {
    const { verb, id, json, source, destination, ...flags } = read(args);
    const asked = { id, json, limits: [...source, ...destination] };
    const told = await onStorage(placeOf(flags), (resources) => verb(resources, asked)).catch(withOtherWay);
    process.stdout.write(`${safeText(told)}\n`);
    return 0;
  },
};

interface Asked {
  readonly id: string;
  readonly json: boolean;
  /** Full names of what a new token is limited to. */
  readonly limits: readonly string[];
}

type Verb = (resources: ConfigStore, asked: Asked) => Promise<string>;

/** What each verb prints. */
const VERBS: Readonly<Record<string, Verb>> = {
  async create(resources, { json, limits }) {
    for (const name of limits) await requireResource(resources, name);
    const wanted = { description: 'made by waybill token create', scopes: 'workspace' } as const;
    const limited = limits.length === 0 ? wanted : { ...wanted, resource_names: [...limits] };
    const { stored, plaintext } = issueToken(limited, systemClock.now());
    await resources.create('access-tokens', stored);
    return json ? JSON.stringify({ token: plaintext }) : plaintext;
  },
  async list(resources, { json }) {
    const tokens = (await allRows(resources, 'access-tokens', '')).map(({ resource }) => shownToken(resource));
    return tokens.map((one) => (json ? JSON.stringify(one) : lineOf(one))).join('\n');
  },
  async revoke(resources, { id }) {
    const name = id.startsWith('access-tokens/') ? id : `access-tokens/${id}`;
    if (await resources.remove('access-tokens', name)) return `revoked ${name}`;
    throw new StorageUnusable(`${name} does not exist; "waybill token list" shows the tokens`);
  },
};

async function requireResource(resources: ConfigStore, name: string): Promise<void> {
  const kind = collectionOf(name) === 'destinations' ? 'destinations' : 'sources';
  if ((await resources.get(kind, name)) !== undefined) return;
  throw new StorageUnusable(`${name} does not exist; name it in full: workspaces/main/sources/web`);
}

function lineOf({ name, scopes, create_time: time, description, ...reach }: ShownToken): string {
  const { workspace_names, resource_names: names = workspace_names } = reach;
  return [name, scopes, names.length === 0 ? 'all workspaces' : names.join(','), time, inLine(description)].join('  ');
}

const FLAGS = {
  ...PLACE_FLAGS,
  json: { type: 'boolean', default: false },
  source: { type: 'string', multiple: true, default: [] as string[] },
  destination: { type: 'string', multiple: true, default: [] as string[] },
} as const;

function read(args: readonly string[]) {
  try {
    const { values, positionals } = parseFlags({ args: [...args], options: FLAGS, allowPositionals: true });
    const [word = '', id = '', ...others] = positionals;
    const verb = Object.hasOwn(VERBS, word) ? VERBS[word] : undefined;
    if (verb === undefined) throw new Error(`${JSON.stringify(word)} is not create, list or revoke`);
    if (word !== 'create' && values.source.length + values.destination.length > 0)
      throw new Error('--source and --destination are for create');
    if ((word === 'revoke') !== (id !== '') || others.length > 0)
      throw new Error('revoke takes the id of one token, and the others take none');
    return { ...values, verb, id };
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}

/** Refuses a folder that a router uses: opening its stores takes the lock that routers take. */
async function onStorage(place: Place, work: (resources: ConfigStore) => Promise<string>): Promise<string> {
  if (place.engine === 'file')
    requireData(place.folder, 'or start a router on this one: its first start makes a token');
  await using opened = new AsyncDisposableStack();
  const storage = await openStorage(place.url, stderrLog, { keyring: keyringOfCommand() });
  opened.defer(() => storage.close());
  return await work(storage.resources);
}

function withOtherWay(error: unknown): never {
  if (!(error instanceof DataFolderUnusable)) throw error;
  const way = 'Tokens of a running router are managed through its API: waybill access-tokens, /v1beta/access-tokens.';
  throw new DataFolderUnusable(`${error.message}\n${way}`, { cause: error });
}
