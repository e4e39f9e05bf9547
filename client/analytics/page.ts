/**
 * Bytes of the requests of one client that may outlive their page. Browsers allow 64 KiB to a page for all together, and
 * fail what goes beyond at once.
 */
const KEPT_ALIVE_BYTES = 60_000;

/** Whether a request may outlive the page that makes it: elsewhere than in a page there is no need to. */
export function outlivesPage(bytes: number, maxInFlight: number): boolean {
  return page() !== undefined && bytes * maxInFlight <= KEPT_ALIVE_BYTES;
}

/** Whether this is a page that is hidden, and may be gone in the next turn: what is not asked for by then never is. */
export function isPageHidden(): boolean {
  return page()?.visibilityState === 'hidden';
}

function page(): { readonly visibilityState: unknown } | undefined {
  const found: unknown = Reflect.get(globalThis, 'document');
  return typeof found === 'object' && found !== null && 'visibilityState' in found ? found : undefined;
}
