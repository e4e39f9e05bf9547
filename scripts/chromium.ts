import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** First the one without windows: it takes half of the processor time. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The browser of this machine; none is downloaded. */
export const installedBrowser = PLACES.find((path) => existsSync(path));

/** Nothing that reaches out by itself. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: requireBrowser(), args: QUIET });
}

/** A browser for several processes, each of which connects to it. */
export async function serveBrowser(): Promise<{ readonly address: string; readonly close: () => Promise<void> }> {
  const server = await chromium.launchServer({ executablePath: requireBrowser(), args: QUIET, host: '127.0.0.1' });
  return { address: server.wsEndpoint(), close: () => server.close() };
}

export function connectToBrowser(address: string): Promise<Browser> {
  return chromium.connect(address);
}

function requireBrowser(): string {
  if (installedBrowser === undefined)
    throw new Error(`no browser at ${PLACES.join(', ')}: apt-get install chromium-headless-shell`);
  return installedBrowser;
}
