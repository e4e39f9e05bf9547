import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type ConfigClient, createConfigClient, webhooksConfig } from '../../../client/config/index.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { destinationName, sourceName } from '../names.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** As `npm run serve` starts it: what Node is told, and the file. */
const [, ...AS_SERVED] = packageJson.scripts.serve.split(' ');
const TOKEN = 'token-of-the-bench-0123456789';
const TELL_USAGE = new URL('tell-usage.ts', import.meta.url).href;

/** The router as a process with the settings of production, and what the system knows of it. */
export interface BenchRouter extends AsyncDisposable {
  readonly url: string;
  /** Processor time that all its threads have used, in milliseconds. */
  processorMs(): Promise<number>;
  /** The most memory that it has held at once, in MB. */
  peakMemoryMb(): number;
  /** What `/metrics` says, by name and labels as they stand there; 0 for what is not there. */
  metrics(): Promise<(name: string) => number>;
  readonly config: ConfigClient;
  /** Makes sources `s0`, `s1`, … each connected to one of the webhooks; answers their write keys. */
  connect(webhooks: readonly string[]): Promise<string[]>;
  stop(): Promise<void>;
}

/** On a data folder of its own. `environment` is all that the process gets of an environment. */
export function startRouter(dataDir: string, environment: NodeJS.ProcessEnv = {}): Promise<BenchRouter> {
  return startRouterOn(`file:${dataDir}`, environment);
}

/** Its log goes nowhere, but is written. */
export async function startRouterOn(storage: string, environment: NodeJS.ProcessEnv = {}): Promise<BenchRouter> {
  const flags = ['--port', '0', '--storage', storage, '--token', TOKEN, '--rate-limit', '0'];
  const args = [...flags, '--allow-networks', '127.0.0.0/8'];
  const child = spawn(process.execPath, [...AS_SERVED.toSpliced(-1, 0, '--import', TELL_USAGE), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: environment,
  });
  const exited = once(child, 'exit');
  const url = await Promise.race([listening(child), exited.then(() => undefined)]);
  if (url === undefined) throw new Error(`the router ended with code ${child.exitCode} before it listened`);
  child.once('exit', onEarlyEnd);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.off('exit', onEarlyEnd);
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
  };
  const config = createConfigClient({ baseUrl: url, token: TOKEN });
  return {
    url,
    config,
    processorMs: () => processorMs(child),
    peakMemoryMb: () => Number(/^VmHWM:\s+(\d+) kB/m.exec(processFile(child, 'status'))?.[1]) / 1024,
    metrics: () => metrics(url),
    connect: (webhooks) => connect(config, webhooks),
    stop: () => end('SIGTERM'),
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  };
}

/** Whoever waits for what the router does would wait for ever. */
function onEarlyEnd(code: number | null, signal: string | null): never {
  throw new Error(`the router ended by itself in the middle of a bench: code ${code}, signal ${signal}`);
}

/** The URL of the `listening` line of its log; what comes after is read and dropped. */
function listening({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    if (stdout === null) return;
    const lines = createInterface({ input: stdout }).on('line', (line) => {
      if (!line.includes('"listening"')) return;
      const { url }: { url: string } = JSON.parse(line);
      lines.close();
      stdout.resume();
      resolve(url);
    });
  });
}

/** Of a process that answers as `tell-usage.ts` does. */
export async function processorMs(child: ChildProcess): Promise<number> {
  const told = once(child, 'message');
  child.send('usage');
  const [usage]: NodeJS.CpuUsage[] = await told;
  return usage === undefined ? NaN : (usage.user + usage.system) / 1_000;
}

function processFile({ pid }: ChildProcess, name: string): string {
  return readFileSync(`/proc/${pid}/${name}`, 'utf8');
}

async function metrics(url: string): Promise<(name: string) => number> {
  const answer = await fetch(`${url}/metrics`);
  const lines = (await answer.text()).split('\n').filter((line) => !line.startsWith('#'));
  const values = new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
  return (name) => values.get(name) ?? 0;
}

async function connect(client: ConfigClient, webhooks: readonly string[]): Promise<string[]> {
  const keys: string[] = [];
  for (const [index, hook] of webhooks.entries()) {
    const { write_keys: made } = await client.sources.create({ name: sourceName(index) });
    const config = webhooksConfig({ hooks: [{ hook }], sharedSecret: 's3cret' });
    await client.destinations.create({ name: destinationName(index), enabled: true, config });
    keys.push(made[0] ?? '');
  }
  return keys;
}
