import type { Analytics } from '../analytics.ts';

interface Events {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** What is needed of the page's document. */
declare const document: Events & { readonly visibilityState: string; readonly defaultView: Events | null };

/**
 * Sends what is queued whenever the page is hidden: it may never be shown again, and what it calls while it is hidden may
 * wait for a timer that comes no more. To be called in a page; elsewhere, as where a server renders it, it does nothing.
 * Returns what takes it off again.
 */
export function flushOnHide(analytics: Pick<Analytics<boolean>, 'flush'>): () => void {
  if (typeof document === 'undefined') return () => {};
  const { defaultView } = document;
  // At the `pagehide` of a page that is seen it does not count as hidden yet, and what takes more than this turn would begin
  // then: `visibilitychange` comes right after it. A page that was hidden before is told of its end by the others alone.
  const flush = (): void => {
    if (document.visibilityState === 'hidden') void analytics.flush();
  };
  document.addEventListener('visibilitychange', flush);
  document.addEventListener('freeze', flush);
  defaultView?.addEventListener('pagehide', flush);
  return () => {
    document.removeEventListener('visibilitychange', flush);
    document.removeEventListener('freeze', flush);
    defaultView?.removeEventListener('pagehide', flush);
  };
}
