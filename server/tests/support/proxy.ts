import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/generate/root.ts';
import { expect, onTestFinished } from 'vitest';

/** A proxy of Debian, and the file of `deploy/proxy/` that it reads. */
export interface Proxy {
  readonly name: string;
  readonly binary: string;
  readonly file: string;
  /** Writes what it needs beside the file, and answers its arguments. */
  readonly prepare: (folder: string, text: string) => readonly string[];
}

const NGINX: Proxy = {
  name: 'nginx',
  binary: '/usr/sbin/nginx',
  file: 'nginx.conf',
  prepare(folder, text) {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    const main = `user root; worker_processes 1; daemon off; pid ${folder}/pid; error_log stderr;
      events {} http { access_log off; ${temporary.join(' ')} ${text} }`;
    writeFileSync(join(folder, 'main.conf'), main);
    return ['-e', 'stderr', '-p', folder, '-c', join(folder, 'main.conf')];
  },
};

const CADDY: Proxy = {
  name: 'Caddy',
  binary: '/usr/bin/caddy',
  file: 'Caddyfile',
  prepare(folder, text) {
    // Ports that a test may not have.
    writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${text}`);
    return ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
  },
};

/** Those that are not installed are left out; in CI they are not, and fail. */
export const PROXIES: readonly Proxy[] = [NGINX, CADDY].filter(
  ({ binary }) => existsSync(binary) || process.env['CI'] !== undefined,
);

/** Runs a proxy with the file that users take, at another address and before another router. */
export async function startProxy(proxy: Proxy, folder: string, router: string, port: number): Promise<string> {
  const own = join(folder, proxy.name);
  mkdirSync(own);
  const text = readFileSync(join(ROOT, 'deploy/proxy', proxy.file), 'utf8')
    .replaceAll('127.0.0.1:8080', new URL(router).host)
    .replaceAll('/etc/ssl/waybill', folder)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace(/^events\.example\.com \{/m, `localhost:${port} {\n\tbind 127.0.0.1`)
    .replaceAll('events.example.com', 'localhost');
  const env = { PATH: process.env['PATH'], HOME: own, XDG_DATA_HOME: own, XDG_CONFIG_HOME: own };
  const child = spawn(proxy.binary, proxy.prepare(own, text), { stdio: ['ignore', 'ignore', 'pipe'], env });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString('utf8')));
  onTestFinished(() => end(child));
  await expect.poll(() => isListening(port, child), { message: complaints }).toBe(true);
  return `https://localhost:${port}`;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function isListening(port: number, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`the proxy ended with ${child.exitCode}`);
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
