import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

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
}

/** Starts a file of this folder that calls `answerMeasurements`. */
export async function startMeasured(file: string, flags: readonly string[]): Promise<MeasuredProcess> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [...flags], { env: { PATH: process.env['PATH'] } });
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
      return taken ?? { bytes: Number.NaN, processorMs: Number.NaN, sockets: Number.NaN };
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
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    const sockets = process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;
    process.send?.({ bytes: heapUsed + external, processorMs: (user + system) / 1000, sockets } satisfies Taken);
  });
  process.send?.(url);
}
