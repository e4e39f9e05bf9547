import { ApiError } from './errors.ts';
import { type Holder, SharedMemory } from './shared-memory.ts';

/** What may be under way at once. */
export interface AdmissionLimits {
  /** Requests whose body is read, and that are not answered yet. */
  readonly requests: number;
  /** Bytes of bodies, as they came and inflated, of all requests that are not answered yet. */
  readonly bytes: number;
}

/** One request, from its arrival to its answer. */
export interface Stay {
  /** The body is about to be read. Its memory may be given to others; the request is then refused with the error. */
  read(onEvicted: (error: ApiError) => void): void;
  /** Counts bytes of the body as they arrive; throws ResourceExhausted when there is no room for them. */
  receive(bytes: number): void;
  /** The body is read. Counts bytes that the work on it takes, or gives some back; throws as `receive` does. */
  hold(bytes: number): void;
  /** The work begins; throws ResourceExhausted when too much is under way. */
  begin(): void;
  /** Called once, whatever happened. */
  end(): void;
}

/**
 * Refuses what is beyond the limits at once, instead of letting it gather. Those who are still sending count by what has
 * arrived of them, not by what they announce: so a sender that is slow, or never goes on, takes nobody's place.
 */
export interface Admission {
  /** Throws ResourceExhausted when nothing more can be taken up now. */
  enter(holder: Holder): Stay;
}

/** Senders that are turned away come back after this; as short as whole seconds allow, since stores catch up within it. */
const RETRY_AFTER_S = 1;

/** `steady` reads milliseconds that only go forward. */
export function createAdmission(limits: AdmissionLimits, steady: () => number): Admission {
  const memory = new SharedMemory(limits.bytes, steady);
  let requests = 0;
  return {
    enter(holder) {
      refuseWhen(requests >= limits.requests);
      const portion = memory.enter(holder);
      if (portion === undefined) throw overloaded();
      let own = 0;
      return {
        read(onEvicted) {
          portion.onEvicted = () => onEvicted(overloaded({ endsConnection: true }));
        },
        receive: (bytes) => refuseWhen(!memory.receive(portion, bytes)),
        hold(bytes) {
          memory.stopReading(portion);
          refuseWhen(!memory.hold(portion, bytes));
        },
        begin() {
          memory.stopReading(portion);
          refuseWhen(requests >= limits.requests);
          own += 1;
          requests += 1;
        },
        end() {
          memory.leave(portion);
          requests -= own;
        },
      };
    },
  };
}

function refuseWhen(isOver: boolean): void {
  if (isOver) throw overloaded();
}

function overloaded(options: { readonly endsConnection?: boolean } = {}): ApiError {
  const message = 'server overloaded; retry later';
  return new ApiError('ResourceExhausted', message, { retryAfterS: RETRY_AFTER_S, ...options });
}
