import { type Claim, deliveryId } from '../../../model/delivery.ts';
import type { Accepted, AcceptRequest } from '../../delivery-storage.ts';
import { OutcomeUnknown, StaleRouting } from '../../errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import { LatestKeys } from '../../latest-keys.ts';
import { StatementRefused } from '../connection/failures.ts';
import { messageOf } from '../../../thrown.ts';
import { AcceptGroup, type GroupParts, type Outcome } from './accept-group.ts';
import { isTaken, type NewRequest, newRequest } from './gathered.ts';
import type { Refusals } from './refusals.ts';

export interface AcceptParts extends GroupParts {
  /** Resolves once this router knows of all changes of the configuration that were answered before. */
  readonly refresh: () => Promise<void>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly refusals: Refusals;
}

/** So many groups are under way at once, of so many messages. */
const MAX_GROUPS = 4;
const MAX_MESSAGES = 200;
/** For each group under way so many messages wait before the next begins: a commit costs more than to wait for one. */
const MESSAGES_PER_GROUP = 32;
/** But no longer than this: what is under way may hang for seconds. */
const WAIT_MS = 50;
/** So many requests at least are known again by their keys; those that are under way for long may be more. */
const KEYS = 1_000;

/** Where a request is stored. */
interface Place {
  readonly group: AcceptGroup;
  readonly index: number;
}

interface Waiting extends NewRequest {
  readonly placed: (place: Place) => void;
}

/** What is stored together, and the identities of its messages. */
interface Gathering {
  readonly requests: readonly Waiting[];
  readonly identities: ReadonlySet<string>;
}

/** Accepts what has come at the same time together, so that many small requests share a commit. */
export class Accepts {
  readonly #parts: AcceptParts;
  readonly #places = new LatestKeys<Place>(KEYS);
  #waiting: Waiting[] = [];
  /** The groups under way. */
  #underWay: readonly Gathering[] = [];
  #isScheduled = false;
  #isWaitLimited = false;

  constructor(parts: AcceptParts) {
    this.#parts = parts;
  }

  async accept(request: AcceptRequest): Promise<Accepted> {
    const known = this.#places.get(request.key);
    if (known !== undefined) return this.#answer(request, known);
    const { life, names } = this.#parts;
    const { acceptances } = request;
    if (life.holder !== undefined || acceptances.some(({ routes }) => routes.some(({ claimed }) => claimed)))
      life.require();
    await names.add(
      acceptances.flatMap(({ message, routes }) => [message.source, ...routes.map(({ destination }) => destination)]),
    );
    return this.#answer(request, await this.#place(newRequest(request, names)));
  }

  #place(request: NewRequest): Promise<Place> {
    return new Promise((placed) => {
      this.#waiting.push({ ...request, placed });
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      // What else has come by now shares its commit.
      setImmediate(() => {
        this.#isScheduled = false;
        this.#begin();
      });
    });
  }

  #begin(hasWaited = false): void {
    while (this.#waiting.length > 0 && this.#isWorthAGroup(hasWaited)) {
      const gathering = this.#next();
      const { requests } = gathering;
      if (requests.length === 0) return;
      const group = new AcceptGroup(this.#parts, requests);
      this.#underWay = [...this.#underWay, gathering];
      for (const [index, { request, placed }] of requests.entries()) {
        this.#places.set(request.key, { group, index });
        placed({ group, index });
      }
      const end = (): void => this.#ended(gathering);
      void group.outcome(0).then(end, end);
    }
    if (this.#waiting.length > 0) this.#limitWait();
  }

  #limitWait(): void {
    if (this.#isWaitLimited) return;
    this.#isWaitLimited = true;
    void this.#parts.clock.sleep(WAIT_MS).then(() => {
      this.#isWaitLimited = false;
      this.#begin(true);
    });
  }

  #ended(gathering: Gathering): void {
    this.#underWay = this.#underWay.filter((one) => one !== gathering);
    this.#begin();
  }

  #isWorthAGroup(hasWaited: boolean): boolean {
    const underWay = this.#underWay.length;
    if (underWay === 0) return true;
    if (underWay === MAX_GROUPS) return false;
    if (hasWaited) return true;
    const wanted = MESSAGES_PER_GROUP * underWay;
    let messages = 0;
    return this.#waiting.some((one) => (messages += one.messages.length) >= wanted);
  }

  /**
   * The first that wait. Of two with the same message the second is for a group that begins when the first has ended, and finds
   * it stored or not.
   */
  #next(): Gathering {
    const identities = new Set<string>();
    const [now, later]: [Waiting[], Waiting[]] = [[], []];
    let messages = 0;
    for (const one of this.#waiting) {
      const isOver = now.length > 0 && messages + one.messages.length > MAX_MESSAGES;
      if (isOver || one.messages.some(({ identity }) => identities.has(identity) || this.#isUnderWay(identity)))
        later.push(one);
      else {
        now.push(one);
        messages += one.messages.length;
        for (const { identity } of one.messages) identities.add(identity);
      }
    }
    this.#waiting = later;
    return { requests: now, identities };
  }

  #isUnderWay(identity: string): boolean {
    return this.#underWay.some(({ identities }) => identities.has(identity));
  }

  async #answer(request: AcceptRequest, place: Place): Promise<Accepted> {
    const { group, index } = place;
    let outcome: Outcome;
    try {
      outcome = await group.outcome(index);
    } catch (error) {
      // Asked again at once it is found, however many others came while it was under way.
      if (error instanceof OutcomeUnknown) this.#places.set(request.key, place);
      else this.#places.delete(request.key);
      if (!(error instanceof StatementRefused)) {
        this.#parts.refusals.unable(messageOf(error));
        throw error;
      }
      if (group.size > 1) return this.#answer(request, this.#alone(request));
      this.#parts.refusals.refused();
      throw error;
    }
    if (outcome.is === 'stored') {
      if (outcome.messages.some((message) => message !== null)) this.#parts.refusals.stored();
      return acceptedOf(request, outcome, this.#parts.life.node);
    }
    this.#places.delete(request.key);
    switch (outcome.is) {
      case 'again':
        await this.#parts.known.follow();
        return this.accept(request);
      case 'over':
        throw this.#parts.life.over();
      case 'stale':
        await this.#parts.refresh();
        throw new StaleRouting(`${request.workspace} has another version by now than ${request.version}`);
    }
  }

  /** What the database refuses for one is no reason to refuse others. */
  #alone(request: AcceptRequest): Place {
    const group = new AcceptGroup(this.#parts, [newRequest(request, this.#parts.names)]);
    const place = { group, index: 0 };
    this.#places.set(request.key, place);
    return place;
  }
}

function acceptedOf(
  { acceptances }: AcceptRequest,
  { messages, holder }: Outcome & { is: 'stored' },
  node: string,
): Accepted {
  return acceptances.map(({ message, routes }, index) => {
    const stored = messages[index];
    if (stored === null || stored === undefined) return 'duplicate';
    const { ids, bytes } = stored;
    return routes.flatMap((route, at): Claim[] => {
      const { destination } = route;
      const id = ids[at];
      if (!isTaken(route) || holder === undefined || id === undefined) return [];
      const fence = { delivery: deliveryId(String(id)), node, epoch: holder.epoch, round: 1 };
      return [{ ...fence, destination, message, bytes, tries: 0, closed: [] }];
    });
  });
}
