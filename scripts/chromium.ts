import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

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
  if (installedBrowser === undefined) throw new Error(`no browser at ${PLACES.join(', ')}: apt-get install chromium`);
  return chromium.launch({ executablePath: installedBrowser, args: QUIET });
}
