/**
 * `entries.ts <entry> …`, in a project that has the packed testbed: does with each entry what it is for, and prints `works`.
 * The process ends without closing anything: not every runtime here has `using`. Those of MSW and nock change what others
 * send by, and want a process of their own.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { request as requestHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReceiver, exampleOf, pictureOf, simulate, totalsOf, webhookRequest } from '@waybill/testbed';

const SECRET = 's3cret';
const HOOK = 'http://hooks.test/hook';

const CHECKS: Readonly<Record<string, () => Promise<void>>> = {
  '.': async () => {
    const receiver = await createReceiver({ secret: SECRET, script: '503,200' });
    assert.deepEqual([await post(receiver.url), await post(receiver.url)], [503, 200]);
    assert.deepEqual((await receiver.next()).signature, { verdict: 'valid' });
    const picture = pictureOf(await simulate({ outage: 'brown-out', hours: 1, events: 5 }));
    assert.equal(totalsOf(picture).events, 5);
  },
  './audit': async () => {
    const { auditSignatures } = await import('@waybill/testbed/audit');
    const receiver = await received();
    assert.deepEqual(await auditSignatures(receiver.received, SECRET), []);
    assert.equal((await auditSignatures(receiver.received, 'another')).length, 1);
  },
  './certify': async () => {
    await import('@waybill/testbed/certify');
    const { certify } = await import('@waybill/testbed');
    const careless = createServer((request, response) => void request.resume().once('end', () => response.end()));
    await once(careless.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${Object(careless.address()).port}/hooks`;
    const failed = (await certify({ url, secret: SECRET })).filter(({ verdict }) => verdict === 'failed');
    careless.closeAllConnections();
    careless.close();
    assert.ok(failed.some(({ title }) => title === 'A request without a signature is rejected'));
  },
  './certify-sender': async () => {
    const { certifySender } = await import('@waybill/testbed/certify-sender');
    const { results } = await certifySender({
      trigger: sendOnce,
      budgetMs: 20_000,
      retryWithinMs: 500,
      secret: SECRET,
    });
    assert.ok(results.some(({ verdict }) => verdict === 'passed'));
    assert.equal(results.find(({ id }) => id === 'retry-500')?.verdict, 'failed');
  },
  './contract': async () => {
    const { anyEvent } = await import('@waybill/testbed/contract');
    const { sample } = await import('fast-check');
    assert.equal(sample(anyEvent(), 5).length, 5);
  },
  './jest': async () => {
    const { deliveryMatchers } = await import('@waybill/testbed/jest');
    assert.equal(deliveryMatchers.toHaveDelivered([]).pass, false);
  },
  './msw': async () => {
    const { MswEndpoint } = await import('@waybill/testbed/msw');
    const { setupServer } = await import('msw/node');
    const endpoint = new MswEndpoint({ url: HOOK, secret: SECRET, script: '503,200' });
    const server = setupServer(...endpoint.handlers);
    server.listen();
    assert.deepEqual([await post(HOOK), await post(HOOK)], [503, 200]);
    assert.equal(endpoint.received.length, 2);
    server.close();
  },
  './nock': async () => {
    const { NockEndpoint } = await import('@waybill/testbed/nock');
    const endpoint = new NockEndpoint({ url: HOOK, secret: SECRET, script: '503,200' });
    assert.deepEqual([await post(HOOK), await post(HOOK)], [503, 200]);
    assert.equal(endpoint.received.length, 2);
  },
  './node-test': async () => {
    const { assertSent } = await import('@waybill/testbed/node-test');
    const receiver = await received();
    assertSent(receiver).toHaveDelivered({ type: 'track', count: 1 });
    assert.throws(() => assertSent(receiver).not.toHaveDelivered(), { name: 'AssertionError' });
  },
  './outages': async () => {
    const { htmlReport, OUTAGES } = await import('@waybill/testbed/outages');
    assert.ok(OUTAGES.length > 0);
    const picture = pictureOf(await simulate({ outage: 'brown-out', hours: 1, events: 5 }));
    assert.match(htmlReport([picture]), /^<!doctype html>/);
  },
  './receiver': async () => {
    const { openControl } = await import('@waybill/testbed/receiver');
    const receiver = await createReceiver({ tls: 'none' });
    const control = await openControl(receiver);
    assert.equal((await fetch(`${control.url}/v1/requests`)).status, 200);
    assert.equal(await statusOverTls(receiver.url, receiver.ca ?? ''), 200);
    const expired = await createReceiver({ tls: 'expired' });
    await assert.rejects(statusOverTls(expired.url, expired.ca ?? ''));
  },
  './recordings': async () => {
    const { differences, readRecording, recordTo, redacted } = await import('@waybill/testbed/recordings');
    const folder = await mkdtemp(join(tmpdir(), 'waybill-entries-'));
    const receiver = await createReceiver();
    const recording = await recordTo(receiver, join(folder, 'requests.jsonl'));
    await post(receiver.url);
    await recording.close();
    const requests = readRecording(await readFile(join(folder, 'requests.jsonl'), 'utf8'));
    await rm(folder, { recursive: true });
    assert.equal(requests.length, 1);
    assert.deepEqual(
      differences(
        requests,
        requests.map((one) => redacted(one)),
      ),
      [],
    );
  },
  './schemes': async () => {
    const { SCHEMES, signedRequest } = await import('@waybill/testbed/schemes');
    for (const scheme of Object.values(SCHEMES)) {
      const receiver = await createReceiver({ secret: 'whsec_c2VjcmV0IG9mIDI0IGJ5dGVzIGhlcmU=', scheme });
      const url = `${receiver.url}/hook`;
      const request = signedRequest({ scheme, secret: 'whsec_c2VjcmV0IG9mIDI0IGJ5dGVzIGhlcmU=', url, body: { id: 1 } });
      await fetch(request.url, request);
      assert.deepEqual([scheme.name, (await receiver.next()).signature], [scheme.name, { verdict: 'valid' }]);
    }
  },
  './scripts': async () => {
    const { checkScript, printStep } = await import('@waybill/testbed/scripts');
    const script = [{ status: 503, times: 2 }] as const;
    assert.deepEqual(checkScript(script).map(printStep), ['503x2']);
  },
  './vitest': async () => {
    const { deliveryMatchers } = await import('@waybill/testbed/vitest');
    assert.equal(deliveryMatchers.toHaveDelivered([]).pass, false);
  },
};

async function post(url: string): Promise<number> {
  const event = exampleOf('track', { receivedAt: new Date().toISOString() });
  return (await fetch(url, webhookRequest(event, { secret: SECRET }))).status;
}

/** A sender that tries nothing again. */
async function sendOnce({ url }: { readonly url: string }): Promise<void> {
  await post(url).catch(() => 0);
}

async function statusOverTls(url: string, ca: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = requestHttps(url, { method: 'POST', ca, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    request.once('error', reject).end('{}');
  });
}

/** A receiver that took one event. */
async function received() {
  const receiver = await createReceiver({ secret: SECRET });
  await post(receiver.url);
  return receiver;
}

const entries = process.argv.slice(2);
for (const entry of entries) {
  await CHECKS[entry]?.();
  console.log(CHECKS[entry] === undefined ? `no check of ${entry}` : 'works');
}
process.exit(entries.every((entry) => CHECKS[entry] !== undefined) ? 0 : 2);
