import { join } from 'node:path';
import { build, preview } from 'vite';
import { ROOT } from '../generate/root.ts';

const configFile = join(ROOT, 'console/mock/vite.mock.config.ts');

export interface ServedMock extends AsyncDisposable {
  /** Where the router would be: the console is below `/console/`. */
  readonly url: string;
}

/** Builds the console with its stand-in, and serves it on this machine alone. */
export async function serveMock(port: number): Promise<ServedMock> {
  await build({ configFile, logLevel: 'warn', build: { chunkSizeWarningLimit: 4_000 } });
  const server = await preview({
    configFile,
    logLevel: 'warn',
    preview: { host: '127.0.0.1', port, strictPort: true },
  });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('the mock has no port');
  return { url: `http://127.0.0.1:${address.port}`, [Symbol.asyncDispose]: () => server.close() };
}
