import { Readable } from 'node:stream';
import { openEnvelope } from '../../server/events/normalize-calls.ts';
import type { Clock } from '../../server/ports/clock.ts';
import type { Transport } from '../../server/ports/transport.ts';
import { createLastUse } from '../../server/resources/access-tokens.ts';
import { bootstrap } from '../../server/resources/bootstrap.ts';
import { auditedHandlers } from '../../server/resources/audited.ts';
import { NewNames } from '../../server/resources/new-names.ts';
import { Memory, type MemoryStorage } from '../../server/storage/memory/memory.ts';
import { seededRandom } from '../simulation/seeded-random.ts';
import { type Answered, Answering } from './answering.ts';
import { type Engine, openEngine, SILENT, WORK, type Work } from './engine.ts';
import { SimpleProfiles } from './profiles.ts';
import type { User } from './user.ts';

export interface StandInOptions {
  /** The first access token, which may do anything. */
  readonly token: string;
  /** The slug of the workspace that is there from the start. */
  readonly workspace: string;
  /** What ids, keys and tokens are drawn from. */
  readonly seed: number;
  readonly clock: Clock;
  /** What deliveries are sent with; without one they wait. */
  readonly transport?: Transport | undefined;
}

export { tidy } from '../../server/resources/lenient-input.ts';

/** Of a tar: two blocks of zeros, which end it. */
const EMPTY_ARCHIVE_BYTES = 1_024;

interface StandInParts {
  readonly storage: MemoryStorage;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly profiles: SimpleProfiles;
  readonly answering: Answering;
}

/** The operations of the router over its storage in memory: no sockets, no files, and no time but that of its clock. */
export class StandIn {
  /** What it keeps: for what neither requests nor events lead to. */
  readonly storage: MemoryStorage;
  readonly #clock: Clock;
  readonly #engine: Engine;
  readonly #profiles: SimpleProfiles;
  readonly #answering: Answering;

  private constructor({ storage, clock, engine, profiles, answering }: StandInParts) {
    this.storage = storage;
    this.#clock = clock;
    this.#engine = engine;
    this.#profiles = profiles;
    this.#answering = answering;
  }

  static async open({ token, workspace, seed, clock, transport }: StandInOptions): Promise<StandIn> {
    const storage = new Memory({ clock }).open('stand-in');
    const [store, random] = [storage.resources, seededRandom(seed)];
    const newNames = namesOf(random);
    await bootstrap({ store, clock, newNames, token, workspace });
    const profiles = new SimpleProfiles(storage);
    const engine = await openEngine({ storage, profiles, clock, random, transport });
    const handlers = auditedHandlers({
      ...engine.parts,
      store,
      clock,
      newNames,
      profiles,
      tellings: storage,
      members: storage,
      retentionMs: 7 * 86_400_000,
      // Nobody has started it with any.
      router: { name: 'stand-in', settings: [] },
      // Nothing is in files: an archive of none.
      backup: async () => Readable.from([new Uint8Array(EMPTY_ARCHIVE_BYTES)]),
      addressGuard: () => ({ allowed: true, by: 'stand-in' }),
    });
    const noteUse = createLastUse({ store, clock }, SILENT);
    const answering = new Answering({ handlers, store, noteUse });
    return new StandIn({ storage, clock, engine, profiles, answering });
  }

  /** A body is given apart where it is that of a GET, which a Request cannot have. */
  async answer(request: Request, body?: Uint8Array): Promise<Answered> {
    await this.#engine.beat();
    return this.#answering.answer(request, body);
  }

  /** Calls as an SDK sends them, to a source by its full name. */
  async send(source: string, calls: readonly object[]): Promise<void> {
    const envelope = openEnvelope({}, { receivedAt: this.#clock.now() });
    const bodyBytes = JSON.stringify(calls).length;
    const sourceNow = (): Promise<{ readonly name: string }> => Promise.resolve({ name: source });
    await this.#engine.pipeline.receive({ source, sourceNow, envelope, calls, bodyBytes });
  }

  /** Makes a user known in a workspace, or adds to what is known. */
  addUser(workspace: string, user: string, known: Partial<Pick<User, 'traits'>>): void {
    this.#profiles.add(workspace, user, known);
  }

  /** What a router does in the background, until nothing is left of it; everything when nothing is named. */
  work(...kinds: readonly Work[]): Promise<void> {
    return this.#engine.work(kinds.length === 0 ? WORK : kinds);
  }

  /** Works in the background from now on, by its clock. */
  start(): void {
    this.#engine.start();
  }

  async stop(): Promise<void> {
    await this.#engine.stop();
  }
}

/** The same ones for the same seed: they guard nothing. */
function namesOf(random: () => number): NewNames {
  const number = (from: number, to: number): number => from + Math.floor(random() * (to - from));
  return new NewNames({ number, bytes: (count) => Uint8Array.from({ length: count }, () => number(0, 256)) });
}
