import { fork } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { bareEnvironment } from '../../../scripts/router/bare-environment.ts';

/** A server in a process of its own that tells what it takes. */
export interface MeasuredProcess extends AsyncDisposable {
  readonly url: string;
  /** What it keeps in memory, without garbage, and how long its processor has worked. */
  measure(): Promise<Taken>;
}

export interface Taken {
  readonly bytes: number;
  readonly processorMs: number;
  /** Open connections. */
  readonly sockets: number;
  /** The most that it ever had of the machine's memory. */
  readonly peakBytes: number;
  /** Requests that Node has made of what came, whoever answered them. */
  readonly requests: number;
}

const NOTHING_TOLD: Taken = {
  bytes: Number.NaN,
  processorMs: Number.NaN,
  sockets: Number.NaN,
  peakBytes: Number.NaN,
  requests: Number.NaN,
};

/** Starts a file of this folder that calls `answerMeasurements`. */
export async function startMeasured(file: string, flags: readonly string[]): Promise<MeasuredProcess> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [...flags], { env: bareEnvironment() });
  const [url] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with code ${code}`))),
  ]);
  return {
    url,
    async measure() {
      const answered = once(child, 'message');
      child.send('measure');
      const [taken]: Taken[] = await answered;
      return taken ?? NOTHING_TOLD;
    },
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Called in the process that is measured, once it listens. */
export function answerMeasurements(url: string): void {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  let requests = 0;
  subscribe('http.server.response.created', () => void (requests += 1));
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const peakBytes = process.resourceUsage().maxRSS * 1024;
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    const sockets = process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;
    const bytes = heapUsed + external;
    const processorMs = (user + system) / 1000;
    process.send?.({ bytes, processorMs, sockets, peakBytes, requests } satisfies Taken);
  });
  process.send?.(url);
}
