import { useEffect, useState } from 'react';
import { pause } from '../../src/live/pause.ts';
import { useVisible } from '../../src/live/use-visible.ts';
import { type Control, type News, Refusal } from './control.ts';

/** `refused`: the receiver wants the token of another start of it, and asking again would not help. */
export type NewsState = 'connecting' | 'live' | 'interrupted' | 'refused';

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 5_000;
const REFUSED = 403;

/**
 * Hears the receiver for as long as the page is looked at: a browser has few connections for each server. `hear` has to be
 * the same function each time.
 */
export function useNews(control: Control, hear: (news: News) => void): NewsState {
  const [state, setState] = useState<NewsState>('connecting');
  const isVisible = useVisible();
  useEffect(() => {
    if (!isVisible) return undefined;
    const leaving = new AbortController();
    const onNews = (news: News): void => {
      setState('live');
      hear(news);
    };
    const onEnd = (isRefused: boolean): void => setState(isRefused ? 'refused' : 'interrupted');
    void listen(control, { onNews, onEnd }, leaving.signal);
    return () => leaving.abort();
  }, [control, hear, isVisible]);
  return state;
}

interface Listener {
  readonly onNews: (news: News) => void;
  readonly onEnd: (isRefused: boolean) => void;
}

async function listen(control: Control, { onNews, onEnd }: Listener, signal: AbortSignal): Promise<void> {
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    let isRefused = false;
    try {
      for await (const news of control.news(signal)) {
        waitMs = FIRST_WAIT_MS;
        onNews(news);
      }
    } catch (error) {
      isRefused = error instanceof Refusal && error.status === REFUSED;
    }
    if (signal.aborted) return;
    onEnd(isRefused);
    if (isRefused) return;
    await pause(waitMs, signal);
    waitMs = Math.min(2 * waitMs, MAX_WAIT_MS);
  }
}
