import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../scripts/check/free-port.ts';

export interface ServerOptions {
  /** The folder of the binaries; default: findPostgres. */
  readonly bin?: string;
  /** Whether it listens on a port of 127.0.0.1 too; its unix socket is there in any case. */
  readonly tcp?: boolean;
  /** Beyond those that make tests fast: `{ fsync: 'on' }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** PostgreSQL refuses to run as root: then it runs as nobody. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
/** Its superuser, without a password. */
const USER = 'waybill';
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '32MB',
  // In its folder, so that it goes with it.
  dynamic_shared_memory_type: 'mmap',
};
/**
 * Holds the server, and ends it when told how, or when nobody is left who could tell: then its folder goes too. Not in the
 * process group of the tests, so that a signal to them cannot end it first.
 */
const KEEPER = `
"$1/pg_ctl" -s -w -t 110 -D "$2/data" -l "$2/log" start >&2 || { cat "$2/log" >&2; exit 1; }
echo started
read -r how
"$1/pg_ctl" -s -w -t 110 -D "$2/data" -m "\${how:-immediate}" stop
[ -n "$how" ] || rm -rf "$2"
`;

/** The folder of the binaries: that of PGBIN, or the newest of Debian's packages; undefined where there is none. */
export function findPostgres(): string | undefined {
  const given = process.env['PGBIN'];
  const debian = globSync('/usr/lib/postgresql/*/bin').toSorted((a, b) => majorOf(b) - majorOf(a));
  return (given === undefined ? debian : [given]).find((bin) => existsSync(join(bin, 'postgres')));
}

/** Whether there is a program for users of a server beside it: `psql`. Some packages have none. */
export function hasPostgresProgram(name: string): boolean {
  return existsSync(join(findPostgres() ?? '', name));
}

function majorOf(bin: string): number {
  return Number(/\/(\d+)\/bin$/.exec(bin)?.[1]);
}

/** A real server in a folder of its own, started when this resolves. */
export async function startPostgres({
  bin = findPostgres(),
  tcp,
  settings,
}: ServerOptions = {}): Promise<PostgresServer> {
  if (bin === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql, or set PGBIN');
  const folder = newFolder();
  const port = tcp === true ? await freePort() : 5_432;
  const server = new PostgresServer(bin, folder, port);
  try {
    const options = ['-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    // Texts are sorted as in most databases in use, which is not by their bytes.
    await server.run('initdb', [...options, '--locale-provider=icu', '--icu-locale=en-US', '-D', join(folder, 'data')]);
    const own = {
      listen_addresses: tcp === true ? '127.0.0.1' : '',
      port: String(port),
      unix_socket_directories: folder,
    };
    server.configure({ ...SETTINGS, ...own, ...settings });
    await server.start();
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** A second server that follows the first one, which is started again for it. */
export async function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  await primary.end('fast');
  const standby = new PostgresServer(primary.bin, newFolder(), primary.port);
  cpSync(join(primary.folder, 'data'), join(standby.folder, 'data'), { recursive: true, preserveTimestamps: true });
  await promisify(execFile)('chown', ['-R', `--reference=${primary.folder}`, standby.folder]);
  standby.writeFile('data/standby.signal', '');
  const primary_conninfo = `host=${primary.folder} port=${primary.port} user=${USER} application_name=standby`;
  standby.configure({ unix_socket_directories: standby.folder, primary_conninfo });
  await primary.start();
  await standby.start();
  return standby;
}

export class PostgresServer {
  readonly bin: string;
  /** Its data, its socket and its `log`. */
  readonly folder: string;
  readonly port: number;
  readonly user = USER;
  #keeper: ChildProcess | undefined;

  constructor(bin: string, folder: string, port: number) {
    [this.bin, this.folder, this.port] = [bin, folder, port];
  }

  /** Its URL, over its unix socket. */
  url(parameters: Readonly<Record<string, string>> = {}): string {
    const query = new URLSearchParams(parameters).toString();
    return `postgres://${this.user}@${encodeURIComponent(this.folder)}:${this.port}/postgres?${query}`;
  }

  /** Runs one of its own commands as its user. */
  async run(command: string, args: readonly string[]): Promise<void> {
    await promisify(execFile)(join(this.bin, command), args, { ...NOBODY, cwd: '/' });
  }

  /** A file that only the server can read. */
  writeFile(path: string, content: string): string {
    const file = join(this.folder, path);
    writeFileSync(file, content, { mode: 0o600 });
    if (NOBODY.uid !== undefined) chownSync(file, NOBODY.uid, NOBODY.gid);
    return file;
  }

  /** Holds from the next start or reload on. */
  configure(settings: Readonly<Record<string, string>>): void {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
    appendFileSync(join(this.folder, 'data/postgresql.conf'), lines.join(''));
  }

  async start(): Promise<void> {
    const args = ['-c', KEEPER, 'keeper', this.bin, this.folder];
    const keeper = spawn('/bin/sh', args, { ...NOBODY, cwd: '/', detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#keeper = keeper;
    let said = '';
    keeper.stderr.on('data', (text) => (said += String(text)));
    const [first] = await Promise.race([once(keeper.stdout, 'data'), once(keeper, 'close')]);
    if (!String(first).startsWith('started')) throw new Error(`PostgreSQL did not start: ${said}`);
  }

  /** Most settings hold from then on, in new sessions at once, in others soon. */
  async reload(): Promise<void> {
    await this.run('pg_ctl', ['-s', '-D', join(this.folder, 'data'), 'reload']);
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await this.run('pg_ctl', ['-s', '-w', '-t', '110', '-D', join(this.folder, 'data'), 'promote']);
  }

  /** Ends the server, and keeps its data: `fast` ends its sessions, `immediate` is a crash. */
  async end(how: 'fast' | 'immediate'): Promise<void> {
    await this.#tell(`${how}\n`);
  }

  /** Ends the server; nothing of it is left. */
  async stop(): Promise<void> {
    await this.#tell('');
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Of its first process. */
  get pid(): number {
    return Number.parseInt(readFileSync(join(this.folder, 'data/postmaster.pid'), 'utf8'), 10);
  }

  async #tell(how: string): Promise<void> {
    const keeper = this.#keeper;
    this.#keeper = undefined;
    if (keeper === undefined || keeper.exitCode !== null) return;
    keeper.stdin?.end(how);
    await once(keeper, 'close');
  }
}

/** Of the server's user. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-postgres-'));
  if (NOBODY.uid !== undefined) chownSync(folder, NOBODY.uid, NOBODY.gid);
  return folder;
}
