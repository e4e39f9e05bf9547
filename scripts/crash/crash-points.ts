/** The moments at which a router can be killed by name: each lies right before or behind something that must survive. */
export const CRASH_POINTS = [
  /** New events are in the transaction, and it is not committed. */
  'accept:before-commit',
  /** They are on disk, and nobody has been answered. */
  'accept:after-commit',
  /** Deliveries that were waiting are being taken. */
  'claim:before-commit',
  'claim:after-commit',
  /** The round is counted, and nothing has left the machine. */
  'send:before-request',
  /** The receiver has answered, and nothing of it is written down. */
  'send:after-answer',
  'record:before-commit',
  'record:after-commit',
  /** Old deliveries are being deleted. */
  'purge:before-commit',
  /** One step of the deletion is done, and there is more to delete. */
  'purge:between-deletions',
  /** A router that starts is freeing what the one before it was trying. */
  'join:before-commit',
  'join:after-commit',
] as const;

/** Where routers share a storage, another one frees what the one that died was trying. */
export const SHARED_POINTS = [...CRASH_POINTS, 'reap:before-commit', 'reap:after-commit'] as const;

/** Steps of a sync that end with a commit, of the tellings or of the profiles. */
export const SYNC_STEPS = ['startSync', 'fold', 'compute', 'computedSync', 'tell', 'endSync'] as const;

export type SyncStep = (typeof SYNC_STEPS)[number];

/** During a step its commit may come or not; after it nobody knows that it came. */
export const SYNC_POINTS = SYNC_STEPS.flatMap((step) => [`${step}:before`, `${step}:during`, `${step}:after`] as const);

export type CrashPoint = (typeof SHARED_POINTS)[number] | (typeof SYNC_POINTS)[number];

/** A point, and which time of coming by is the last. */
export interface Crash {
  readonly point: CrashPoint;
  /** From 1. */
  readonly pass: number;
}

/** `accept:before-commit@3`, as it stands on a command line. */
export function printCrash({ point, pass }: Crash): string {
  return `${point}@${pass}`;
}

export function parseCrash(text: string): Crash {
  const [name, pass] = text.split('@');
  const points = [...SHARED_POINTS, ...SYNC_POINTS];
  const point = points.find((known) => known === name);
  if (point === undefined || !(Number(pass) >= 1)) {
    throw new Error(`${JSON.stringify(text)} is no crash: name one of ${points.join(', ')}, then @ and a number`);
  }
  return { point, pass: Number(pass) };
}

/** Counts how often a point is passed, and ends the process there, as a power cut does, when it is time. */
export function createFuse(crash: Crash | undefined): (point: CrashPoint) => void {
  let left = crash?.pass ?? 0;
  return (point) => {
    if (point !== crash?.point) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
}
