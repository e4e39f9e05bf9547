import type { Analytics } from '../analytics.ts';

/** What is needed of the page's document. */
declare const document: {
  readonly visibilityState: string;
  addEventListener(type: 'visibilitychange', listener: () => void): void;
  removeEventListener(type: 'visibilitychange', listener: () => void): void;
};

/**
 * Sends what is queued whenever the page is hidden: it may never be shown again, and browsers tell of no later moment. To
 * be called in a page; elsewhere, as where a server renders it, it does nothing. Returns what takes it off again.
 */
export function flushOnHide(analytics: Pick<Analytics<boolean>, 'flush'>): () => void {
  if (typeof document === 'undefined') return () => {};
  const flush = (): void => {
    if (document.visibilityState === 'hidden') void analytics.flush();
  };
  // Not `pagehide`: it comes before the page counts as hidden, and what takes more than this turn would begin then.
  document.addEventListener('visibilitychange', flush);
  return () => document.removeEventListener('visibilitychange', flush);
}
