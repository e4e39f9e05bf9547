import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Verdict } from '../../certify/scenario.ts';
import { certifySender } from '../../certify-sender/certify-sender.ts';

const SENDER = fileURLToPath(new URL('../support/tls-sender.ts', import.meta.url));
/** All of it takes a quarter: a busy machine has time enough. */
const BUDGET_MS = 120_000;

/** A sender in a process of its own that trusts the authority in the file; ends with `opened`. */
async function startSender(opened: AsyncDisposableStack, authority: string, manner: string) {
  const child = spawn(process.execPath, [SENDER, authority, manner], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  opened.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const port = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve));
  return async (to: string, mark: string): Promise<void> => {
    await fetch(`http://127.0.0.1:${port}/?${new URLSearchParams({ to, mark }).toString()}`);
  };
}

/** What the certificate says of TLS, by scenario. */
async function tlsVerdicts(manner: string, retryWithinMs: number): Promise<Record<string, Verdict>> {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'waybill-tls-sender-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const authority = join(folder, 'ca.pem');
  const send = await startSender(opened, authority, manner);
  const { results } = await certifySender({
    tls: true,
    budgetMs: BUDGET_MS,
    retryWithinMs,
    onListening: ({ url, tls }) => {
      expect(url).toMatch(/^https:/);
      writeFileSync(authority, tls?.ca ?? '');
    },
    trigger: ({ url, mark }) => send(url, mark),
  });
  return Object.fromEntries(
    results.filter(({ id }) => id.startsWith('tls-')).map(({ id, verdict }) => [id.slice('tls-'.length), verdict]),
  );
}

const WELL = {
  'self-signed': 'passed',
  expired: 'passed',
  'wrong-host': 'passed',
  'unknown-ca': 'passed',
  'handshake-reset': 'passed',
} as const;

test.concurrent.each([
  ['careful', {}],
  ['trusts anybody', { 'self-signed': 'failed', expired: 'failed', 'wrong-host': 'failed', 'unknown-ca': 'failed' }],
  ['does not look at the name', { 'wrong-host': 'failed' }],
  ['takes a reset as final', { 'handshake-reset': 'failed' }],
] as const)(
  'of a real process that sends over TLS and %s, the certificate tells what it does',
  async (manner, other) => {
    expect(await tlsVerdicts(manner, 2_500)).toEqual({ ...WELL, ...other });
  },
);
