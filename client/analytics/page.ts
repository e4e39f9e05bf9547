/** What is needed of a page's document. */
declare const document: { readonly visibilityState: unknown } | null;
declare const navigator: { readonly onLine?: unknown };

/** Bytes of the requests under way that may outlive their page: browsers allow 64 KiB, and fail what goes beyond at once. */
export const KEPT_ALIVE_BYTES = 60_000;

/** What of them is not under way, of all clients, as it is the page that has them. */
let room = KEPT_ALIVE_BYTES;

/** Bytes that may still outlive the page. */
export function roomBeyondPage(): number {
  return room;
}

/**
 * Counts a request as one that may outlive the page that makes it; gives what ends that. Undefined where there is no room,
 * and elsewhere than in a page, where there is no need to.
 */
export function outlivePage(bytes: number): (() => void) | undefined {
  if (visibility() === undefined || bytes > room) return undefined;
  room -= bytes;
  return () => {
    room += bytes;
  };
}

/** Whether this is a page that is hidden, and may be gone in the next turn: what is not asked for by then never is. */
export function isPageHidden(): boolean {
  return visibility() === 'hidden';
}

/** Whether the browser knows of no network. Elsewhere nobody says so. */
export function isOffline(): boolean {
  return typeof navigator !== 'undefined' && navigator.onLine === false;
}

/** Undefined elsewhere than in a page. */
function visibility(): unknown {
  return typeof document === 'undefined' ? undefined : document?.visibilityState;
}
