import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** The package has no types; what it exports is where its binary is. */
const { default: workerd }: { readonly default: string } = createRequire(import.meta.url)('workerd');

export interface Worker extends AsyncDisposable {
  readonly url: string;
  /** What it has logged so far, the runtime's own words included. */
  readonly log: () => string;
}

/** What is there beside the web's own: nothing, or what workers of a date of late 2026 get of Node without asking. */
export type Surroundings = 'web alone' | 'web and Node';

const FLAGS: Readonly<Record<Surroundings, string>> = {
  'web alone': '"no_nodejs_compat", "no_nodejs_compat_v2"',
  'web and Node': '',
};

/**
 * Runs a module in `workerd`, the runtime of Cloudflare Workers. It listens on a free port of this machine, and reaches
 * other ports of it.
 */
export async function startWorker(
  code: string,
  bindings: Readonly<Record<string, string>> = {},
  surroundings: Surroundings = 'web alone',
): Promise<Worker> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-worker-'));
  writeFileSync(join(folder, 'worker.js'), code);
  writeFileSync(join(folder, 'config.capnp'), configOf(bindings, FLAGS[surroundings]));
  const args = ['serve', join(folder, 'config.capnp'), '--control-fd=3'];
  const child = spawn(workerd, args, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was asked for as a pipe
  const port = await Promise.race([listening(child.stdio[3] as Readable), ended.then(() => undefined)]);
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  if (port === undefined) {
    await end();
    throw new Error(`workerd ended with code ${child.exitCode}: ${log}`);
  }
  return { url: `http://127.0.0.1:${port}`, log: () => log, [Symbol.asyncDispose]: end };
}

function configOf(bindings: Readonly<Record<string, string>>, flags: string): string {
  const texts = Object.entries(bindings).map(([name, text]) => `( name = "${name}", text = ${JSON.stringify(text)} )`);
  return `
    using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [
        ( name = "main", worker = .worker ),
        ( name = "machine", network = ( allow = ["public", "private", "local"] ) ),
      ],
      sockets = [ ( name = "http", address = "127.0.0.1:0", http = (), service = "main" ) ],
    );
    const worker :Workerd.Worker = (
      modules = [ ( name = "worker.js", esModule = embed "worker.js" ) ],
      compatibilityDate = "2026-10-01",
      compatibilityFlags = [ ${flags} ],
      globalOutbound = "machine",
      bindings = [ ${texts.join(', ')} ],
    );
  `;
}

/** The port of the control channel's message that it listens. */
function listening(control: Readable): Promise<number> {
  return new Promise((resolve) => {
    createInterface({ input: control }).on('line', (line) => {
      const message: { event?: string; port?: number } = JSON.parse(line);
      if (message.event === 'listen' && message.port !== undefined) resolve(message.port);
    });
  });
}
