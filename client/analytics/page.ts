/** What is needed of a page's document. */
declare const document: { readonly visibilityState: unknown } | null;

/**
 * Bytes of the requests of one client that may outlive their page. Browsers allow 64 KiB to a page for all together, and
 * fail what goes beyond at once.
 */
export const KEPT_ALIVE_BYTES = 60_000;

/** Whether a request may outlive the page that makes it: elsewhere than in a page there is no need to. */
export function outlivesPage(bytes: number, maxInFlight: number): boolean {
  return visibility() !== undefined && bytes * maxInFlight <= KEPT_ALIVE_BYTES;
}

/** Whether this is a page that is hidden, and may be gone in the next turn: what is not asked for by then never is. */
export function isPageHidden(): boolean {
  return visibility() === 'hidden';
}

/** Undefined elsewhere than in a page. */
function visibility(): unknown {
  return typeof document === 'undefined' ? undefined : document?.visibilityState;
}
