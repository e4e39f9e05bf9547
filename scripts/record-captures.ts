/**
 * Records what the packages of npm put on the wire, byte for byte, into server/tests/compliance/captures, with what
 * webhooks get of it: `node scripts/run.mjs scripts/record-captures.ts`, or `node scripts/run.mjs scripts/record-captures.ts analytics-node-3`. Look at the difference before you commit it: from then on the tests expect what it says.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { BATCHING, sendWithBrowser, STANDARD } from './captures/browser.ts';
import { type About, type Capture, CAPTURES, readCaptures } from './captures/capture.ts';
import { deliveriesText } from './captures/deliveries.ts';
import { openPlace } from './captures/place.ts';
import { replay } from './captures/replay.ts';
import { sendWithLegacyNode, sendWithNode } from './captures/senders.ts';
import { startTee } from './captures/tee.ts';

/** What every sender calls. */
const CALLS = 6;

interface Recording {
  readonly name: string;
  readonly package: string;
  readonly note: string;
  readonly send: (host: string, bodiesSent: () => number) => Promise<void>;
}

const node = `Node ${process.versions.node.split('.')[0]}`;
const RECORDINGS: readonly Recording[] = [
  { name: 'analytics-node-3', package: '@segment/analytics-node', note: node, send: sendWithNode },
  { name: 'analytics-node-6', package: 'analytics-node', note: node, send: sendWithLegacyNode },
  {
    name: 'analytics-next-standard',
    package: '@segment/analytics-next',
    note: 'headless Chromium, standard mode, with its preflights',
    send: (host, sent) => sendWithBrowser(host, STANDARD, () => sent() >= CALLS),
  },
  {
    name: 'analytics-next-batching',
    package: '@segment/analytics-next',
    note: 'headless Chromium, batching mode, with its preflights',
    send: (host, sent) => sendWithBrowser(host, BATCHING, () => sent() >= 1),
  },
];

/** The names of captures; without any, all of them. */
const chosen = process.argv.slice(2);
const isChosen = ({ name }: { readonly name: string }): boolean => chosen.length === 0 || chosen.includes(name);

for (const recording of RECORDINGS.filter(isChosen)) await record(recording);
for (const capture of readCaptures().filter(isChosen))
  if (capture.about.origin === 'composed') await expectAnew(capture);

async function record({ name, note, send, ...sender }: Recording): Promise<void> {
  await using place = await openPlace();
  await using tee = await startTee(place.url);
  await send(tee.url, () => tee.requests().filter(hasCalls).length);
  const delivered = await place.delivered(CALLS);
  const version = versionOf(sender.package);
  const about: About = { package: sender.package, version, origin: 'recorded', note, events: delivered.length };
  const folder = join(CAPTURES, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'about.json'), `${JSON.stringify(about, null, 2)}\n`);
  for (const [at, request] of tee.requests().entries()) {
    writeFileSync(join(folder, `${String(at + 1).padStart(2, '0')}.http`), request);
  }
  writeFileSync(join(folder, 'delivered.json'), deliveriesText(delivered));
  console.log(`${name}: ${tee.requests().length} requests, ${delivered.length} deliveries`);
}

/** What webhooks get of requests that were written by hand. */
async function expectAnew({ name, about, requests }: Capture): Promise<void> {
  await using place = await openPlace();
  for (const request of requests) console.log(`${name}: ${await replay(place.url, request)}`);
  writeFileSync(join(CAPTURES, name, 'delivered.json'), deliveriesText(await place.delivered(about.events)));
}

function hasCalls(request: Buffer): boolean {
  return /^POST \/v1\/(?!m )/.test(request.toString('latin1', 0, 40));
}

function versionOf(name: string): string {
  const entry = createRequire(import.meta.url).resolve(name);
  const home = `node_modules/${name}/`;
  const root = entry.slice(0, entry.indexOf(home) + home.length);
  const manifest: { readonly version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return manifest.version;
}
