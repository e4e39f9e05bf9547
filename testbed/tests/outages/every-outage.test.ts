import { request as plainly } from 'node:http';
import { request as encrypted } from 'node:https';
import { describe, expect, test } from 'vitest';
import { toScript } from '../../fault-script/script.ts';
import { createReceiver, printScript, type Receiver } from '../../index.ts';
import { OUTAGES } from '../../outages/index.ts';
import type { Outage } from '../../outages/outage.ts';
import { outageNamed } from '../../outages/outages.ts';
import { type SocketPhase, socketPhases } from '../../outages/socket-outage.ts';
import { runReceiver, urlOf } from '../support/command.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { nextEvent, post, resultOf } from '../support/posting.ts';

const SPEED = 60;
interface Played {
  readonly name: string;
  readonly phases: readonly SocketPhase[];
  readonly isEncrypted: boolean;
}

/** What sockets make of an outage: its phases, or why they cannot play it. */
function playedOf(outage: Outage): Played | string {
  try {
    const phases = socketPhases(outage, SPEED, true);
    return { name: outage.name, phases, isEncrypted: phases.some(({ kind }) => kind === 'tls') };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const ALL = OUTAGES.map(({ name }) => [name, playedOf(outageNamed(name))] as const);
const PLAYED = ALL.flatMap(([, played]) => (typeof played === 'string' ? [] : [played]));
const REFUSED = ALL.flatMap(([name, played]) => (typeof played === 'string' ? [[name, played] as const] : []));

/** Sends without waiting for the answer, which may never come: the failure, once there is one. */
function send({ url, ca }: Receiver, hangUp: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const options = { method: 'POST', agent: false, signal: hangUp, ...(ca === undefined ? {} : { ca }) };
    const outgoing = (url.startsWith('https:') ? encrypted : plainly)(url, options, (answer) => {
      answer.on('error', () => undefined).resume();
    });
    outgoing.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)).end('{}');
  });
}

/** What a request meets in a phase: the script that it is answered by, or how it fails before there is HTTP. */
async function meet(receiver: Receiver, { kind }: SocketPhase): Promise<string> {
  const hangUp = new AbortController();
  try {
    if (kind !== 'script') return failureKind(await send(receiver, hangUp.signal));
    const received = nextEvent(receiver, 'received');
    void send(receiver, hangUp.signal);
    return printScript((await received).request.script);
  } finally {
    hangUp.abort();
  }
}

/** How it fails for whoever is shown a wrong certificate, or finds nobody. */
function failureKind(code: string): string {
  if (code === 'ECONNREFUSED') return 'gone';
  return /CERT|SELF_SIGNED|SSL|TLS/.test(code) ? 'tls' : code;
}

describe('each outage on sockets', () => {
  test.each(PLAYED)('$name plays every phase to a request, and is over then', async ({ name, phases, isEncrypted }) => {
    const clock = new ManualClock();
    const tls = isEncrypted ? ({ tls: 'none' } as const) : {};
    await using receiver = await createReceiver({ clock, outage: name, speed: SPEED, script: '201', ...tls });
    for (const [index, phase] of phases.entries()) {
      await clock.asleepFor(phase.lastsMs);
      expect(await meet(receiver, phase), `phase ${index + 1}`).toBe(
        phase.kind === 'script' ? printScript(toScript(phase.script)) : phase.kind,
      );
      const ended = index === phases.length - 1 ? nextEvent(receiver, 'scripted') : undefined;
      clock.advance(phase.lastsMs);
      await ended;
    }
    expect(await meet(receiver, { kind: 'script', script: '', lastsMs: 0 })).toBe('201');
  });

  test.each(REFUSED)('%s is refused with the reason, and the way to play it', async (name, reason) => {
    expect(reason).toMatch(/ cannot be played on sockets: in phase \d+ .+; play it in virtual time with simulate\(/);
    await expect(createReceiver({ outage: outageNamed(name).name, tls: 'none' })).rejects.toThrow(reason);
    await using command = runReceiver('--port', '0', '--outage', name);
    expect(await command.exit).toBe(2);
    expect(command.stderr()).toContain(reason);
  });

  test('an outage is either played or refused, none is left out', () => {
    expect(PLAYED.length + REFUSED.length).toBe(OUTAGES.length);
    expect(PLAYED.length).toBeGreaterThan(REFUSED.length);
  });
});

describe('waybill-receiver plays an outage in real time', () => {
  test('requests meet its failure while it lasts, and are well afterwards', async () => {
    // Fifteen minutes in 450 ms: which of the requests met it is up to the machine, their order is not.
    await using command = runReceiver(
      '--port',
      '0',
      '--outage',
      'challenge-page',
      '--speed',
      '2000',
      '--script',
      '202',
    );
    const url = await urlOf(command);
    const seen = [];
    while (seen.at(-1) !== '202') seen.push(await resultOf(post(url, '{}')));
    expect(seen.join(' ')).toMatch(/^(?:403 )*202$/);
    expect(await resultOf(post(url, '{}'))).toBe('202');
  });

  test('a speed below 1 makes it last longer', async () => {
    await using command = runReceiver('--port', '0', '--outage', 'challenge-page', '--speed', '0.01');
    const url = await urlOf(command);
    expect(await resultOf(post(url, '{}'))).toBe('403');
  });

  test('who is gone refuses connections, and is back on its port', async () => {
    await using command = runReceiver('--port', '0', '--outage', 'dead', '--speed', '6000', '--script', '202');
    const url = await urlOf(command);
    const seen = new Set<string>();
    while (!seen.has('202')) seen.add(await resultOf(post(url, '{}')));
    expect([...seen].filter((one) => !['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET', '202'].includes(one))).toEqual(
      [],
    );
  });
});
