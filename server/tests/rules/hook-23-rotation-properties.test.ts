import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createAddressGuard } from '../../delivery/address-guard.ts';
import type { SignatureSetting } from '../../delivery/signatures.ts';
import type { Target } from '../../delivery/target.ts';
import { openDirectory } from '../../directory/directory.ts';
import { ApiError } from '../../http/errors.ts';
import type { Destination } from '../../model/resources.ts';
import type { PostRequest } from '../../ports/transport.ts';
import { cancel, finish, rotate as rotateSecret } from '../../resources/secret-rotations.ts';
import type { ConfigStore } from '../../storage/config-store.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import {
  isSignedFor,
  secretsAt,
  type StandardSign,
  type ValidSecrets,
} from '../../../testbed/simulation/signature-oracle.ts';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { memoryDisk } from '../support/config-disk.ts';
import { destination, source, token, workspace } from '../support/config-resources.ts';
import { DESTINATION } from '../support/engine.ts';
import { newEvaluation } from '../support/evaluation.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { type Engine, startLives } from '../support/lives.ts';

const SECOND = 1_000;
const FIRST = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

type Step =
  | { readonly act: 'event' | 'cancel' | 'finish' | 'restart' }
  | { readonly act: 'rotate'; readonly seconds: number }
  | { readonly act: 'wait'; readonly seconds: number };

const STEPS = fc.array(
  fc.oneof(
    { arbitrary: fc.constant<Step>({ act: 'event' }), weight: 4 },
    {
      arbitrary: fc.record({ act: fc.constant('rotate' as const), seconds: lasting(0, 60, 1_800, 86_400) }),
      weight: 3,
    },
    { arbitrary: fc.record({ act: fc.constant('wait' as const), seconds: lasting(1, 30, 600, 7_200) }), weight: 5 },
    { arbitrary: fc.constantFrom<Step>({ act: 'cancel' }, { act: 'finish' }), weight: 1 },
    { arbitrary: fc.constant<Step>({ act: 'restart' }), weight: 1 },
  ),
  { minLength: 4, maxLength: 25 },
);

function lasting(...seconds: readonly number[]): fc.Arbitrary<number> {
  return fc.constantFrom(...seconds);
}

interface Run {
  readonly faults: readonly string[];
  /** Requests while two secrets were valid, and while one was. */
  readonly counts: { readonly overlapping: number; readonly alone: number };
}

/** A target that is not as it should be, to see that it is found. */
type Spoil = (target: Target) => Target;

/** Plays steps on the Config API, its files, the directory and the engine, and looks at each request as it leaves. */
async function play(steps: readonly Step[], signature: SignatureSetting, spoil: Spoil = (same) => same): Promise<Run> {
  let valid: ValidSecrets = { secret: FIRST };
  const faults: string[] = [];
  const counts = { overlapping: 0, alone: 0 };
  const lives = startLives(({ request }) => {
    const secrets = secretsAt(valid, lives.clock.now());
    counts[secrets.length > 1 ? 'overlapping' : 'alone'] += 1;
    if (!isSignedFor(request, secrets, signature, officially))
      faults.push(`${secrets.length} secrets: ${namesOf(request)}`);
    // Most fail at first, so that events are retried into overlaps and out of them.
    return answers((counts.overlapping + counts.alone) % 4 === 0 ? 200 : 503);
  });
  const { clock } = lives;
  const disk = memoryDisk();
  let store = await openConfigStore({ folder: '/config', disk, log: new RecordingLog() });
  await fill(store, signature);
  let engine = await begin(lives.begin, store, spoil);
  for (const step of steps) {
    if (step.act === 'event') await engine.send(1);
    else if (step.act === 'wait') await clock.advance(step.seconds * SECOND);
    else if (step.act === 'restart') {
      engine.kill();
      await store.close();
      store = await openConfigStore({ folder: '/config', disk, log: new RecordingLog() });
      engine = await begin(lives.begin, store, spoil);
    } else valid = await rotate(store, clock, step, valid);
    await clock.advance(0);
  }
  await clock.advance(600 * SECOND);
  engine.kill();
  await store.close();
  return { faults, counts };
}

async function begin(start: ReturnType<typeof startLives>['begin'], store: ConfigStore, spoil: Spoil): Promise<Engine> {
  const directory = await openDirectory(store, newEvaluation());
  const targets = (name: string): Target | undefined => {
    const target = directory.target(name);
    return target && spoil(target);
  };
  return start({ targets });
}

async function fill(store: ConfigStore, signature: SignatureSetting): Promise<void> {
  await store.create('workspaces', workspace('main'));
  await store.create('sources', source('main', 'js'));
  const made = destination('workspaces/main/sources/js');
  const values = { hooks: [{ hook: 'https://example.test/hook' }], sharedSecret: FIRST, signature };
  const config = Object.entries(values).map(([key, value]) => ({
    name: `${made.name}/config/${key}`,
    display_name: key,
    type: 'string' as const,
    value,
  }));
  await store.create('destinations', { ...made, enabled: true, config } satisfies Destination);
}

type Clock = ReturnType<typeof startLives>['clock'];

/** Asks the API, and says what must be valid now. */
async function rotate(store: ConfigStore, clock: Clock, step: Step, valid: ValidSecrets): Promise<ValidSecrets> {
  const [env, caller] = [{ store, clock, addressGuard: createAddressGuard([]) }, { token: token('1') }];
  const [now, overlapping] = [clock.now(), secretsAt(valid, clock.now()).length > 1];
  if (step.act === 'cancel' || step.act === 'finish') {
    await (step.act === 'cancel' ? cancel : finish)(env, caller, DESTINATION);
    return { secret: overlapping && step.act === 'cancel' ? (valid.previous?.secret ?? '') : valid.secret };
  }
  if (step.act !== 'rotate') return valid;
  const body = { overlap_seconds: step.seconds };
  const answer = await rotateSecret(env, caller, DESTINATION, body).catch((error: unknown) => {
    if (error instanceof ApiError && overlapping) return undefined;
    throw error;
  });
  if (answer === undefined) return valid;
  const until = now + step.seconds * SECOND;
  return { secret: answer.secret ?? '', previous: { secret: valid.secret, until } };
}

/** By the official library. */
const officially: StandardSign = (secret, id, at, body) => new Webhook(secret).sign(id, at, Buffer.from(body));

function namesOf({ headers }: PostRequest): string {
  return Object.keys(headers).join(' ');
}

test.each(['x-signature', 'standard-webhooks', 'both'] as const)(
  'HOOK-23: whatever is rotated, retried and restarted, each request of an overlap verifies with either secret, and each later one with the new: %s',
  async (signature) => {
    const total = { overlapping: 0, alone: 0 };
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        const { faults, counts } = await play(steps, signature);
        expect(faults).toEqual([]);
        total.overlapping += counts.overlapping;
        total.alone += counts.alone;
      }),
      { numRuns: 150 },
    );
    expect(total.overlapping).toBeGreaterThan(100);
    expect(total.alone).toBeGreaterThan(100);
  },
);

const STORY: readonly Step[] = [
  { act: 'event' },
  { act: 'rotate', seconds: 60 },
  { act: 'wait', seconds: 30 },
  { act: 'restart' },
  { act: 'wait', seconds: 600 },
];

test.each<[string, Spoil]>([
  ['the old secret is forgotten', ({ previous: _none, ...target }) => target],
  [
    'the overlap never ends',
    (target) => (target.previous ? { ...target, previous: { ...target.previous, until: Infinity } } : target),
  ],
  [
    'the two change places',
    (target) =>
      target.previous
        ? {
            ...target,
            sharedSecret: target.previous.secret,
            previous: { ...target.previous, secret: target.sharedSecret },
          }
        : target,
  ],
])('HOOK-23: a router is found out in which %s', async (_what, spoil) => {
  expect((await play(STORY, 'both')).faults).toEqual([]);
  expect((await play(STORY, 'both', spoil)).faults).not.toEqual([]);
});
