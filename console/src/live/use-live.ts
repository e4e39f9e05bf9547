import { useQueryClient } from '@tanstack/react-query';
import { type ConfigClient, isConfigApiError, type LiveEvents } from '@waybill/client/config';
import { useEffect, useEffectEvent, useState } from 'react';
import { pause } from './pause.ts';
import { useVisible } from './use-visible.ts';
import { useWorkspace } from '../session/workspace.tsx';

export type LiveState = 'connecting' | 'live' | 'interrupted';

/** Six a minute at most, then fewer: a page at rest asks seldom, also of a router that is gone. */
const FIRST_WAIT_MS = 10_000;
/** After a stream that was open for longer than the first wait. */
const SHORT_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;

/**
 * Hears what a source sends for as long as the page is looked at: browsers have few connections for each router, and pages
 * in the background would hold them all. Opened again whenever it ends; `onOpened` is called each time, as what came before is
 * not told.
 */
export function useLive(source: string, hear: (message: LiveEvents) => void, onOpened: () => void): LiveState {
  const { client, name } = useWorkspace();
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  const isVisible = useVisible();
  const onMessage = useEffectEvent(hear);
  const onOpen = useEffectEvent(() => {
    setState('live');
    onOpened();
  });
  const onEnd = useEffectEvent((error: unknown) => {
    setState('interrupted');
    // Whoever is no longer signed in is told by the next read of the token.
    if (isConfigApiError(error, 'Unauthenticated')) void queries.invalidateQueries({ queryKey: ['self'] });
  });
  useEffect(() => {
    if (!isVisible) return undefined;
    const leaving = new AbortController();
    void listen(client, `${name}/sources/${source}`, { onOpen, onMessage, onEnd }, leaving.signal);
    return () => leaving.abort();
  }, [client, name, source, isVisible]);
  return state;
}

interface Listener {
  readonly onOpen: () => void;
  readonly onMessage: (message: LiveEvents) => void;
  readonly onEnd: (error: unknown) => void;
}

async function listen(client: ConfigClient, source: string, to: Listener, signal: AbortSignal): Promise<void> {
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    const begun = performance.now();
    let isOpen = false;
    let failure: unknown;
    try {
      for await (const message of client.acceptedEvents.watch(source, { signal })) {
        if (!isOpen) to.onOpen();
        isOpen = true;
        waitMs = FIRST_WAIT_MS;
        to.onMessage(message);
      }
    } catch (error) {
      failure = error;
    }
    if (signal.aborted) return;
    to.onEnd(failure);
    await pause(isOpen && performance.now() - begun > FIRST_WAIT_MS ? SHORT_WAIT_MS : waitMs, signal);
    waitMs = Math.min(2 * waitMs, MAX_WAIT_MS);
  }
}
