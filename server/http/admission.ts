import { ApiError } from './errors.ts';

/** What may be under way at once. */
export interface AdmissionLimits {
  /** Requests whose body is read, and that are not answered yet. */
  readonly requests: number;
  /** Bytes of bodies, as they came and inflated, of all requests that are not answered yet. */
  readonly bytes: number;
}

/** One request, from its arrival to its answer. */
export interface Stay {
  /** Counts bytes that are kept in memory, or gives some back; throws ResourceExhausted when they are too many. */
  readonly hold: (bytes: number) => void;
  /** The body is read, the work begins; throws ResourceExhausted when too much is under way. */
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
  enter(): Stay;
}

/** Senders that are turned away come back after this; as short as whole seconds allow, since stores catch up within it. */
const RETRY_AFTER_S = 1;

export function createAdmission(limits: AdmissionLimits): Admission {
  const now = { requests: 0, bytes: 0 };
  return {
    enter() {
      refuseWhen(now.requests >= limits.requests || now.bytes >= limits.bytes);
      const own = { requests: 0, bytes: 0 };
      return {
        hold(bytes) {
          refuseWhen(bytes > 0 && now.bytes + bytes > limits.bytes);
          own.bytes += bytes;
          now.bytes += bytes;
        },
        begin() {
          refuseWhen(now.requests >= limits.requests);
          own.requests += 1;
          now.requests += 1;
        },
        end() {
          now.requests -= own.requests;
          now.bytes -= own.bytes;
        },
      };
    },
  };
}

function refuseWhen(isOver: boolean): void {
  if (!isOver) return;
  throw new ApiError('ResourceExhausted', 'too much is under way; try again', { retryAfterS: RETRY_AFTER_S });
}

/** For an API that few call: nothing is counted. */
export const UNBOUNDED: Admission = createAdmission({ requests: Infinity, bytes: Infinity });
