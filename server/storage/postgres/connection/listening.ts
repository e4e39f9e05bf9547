import { driver } from './driver.ts';
import type { Hosts } from './hosts.ts';
import { said } from './failures.ts';
import { StoreUnavailable } from '../../config-store.ts';

export interface Listening {
  /** Resolves when the connection is gone, and nothing more is heard; also after `close`. */
  readonly lost: Promise<void>;
  close(): void;
}

/** Hears a channel on a connection that is used for nothing else, until it is closed or lost. */
export async function listenOn(hosts: Hosts, channel: string, heard: (payload: string) => void): Promise<Listening> {
  const client = await hosts.take();
  const lost = new Promise<void>((resolve) => client.once('end', resolve));
  client.on('notification', ({ payload = '' }) => heard(payload));
  try {
    await client.query(`LISTEN ${driver().escapeIdentifier(channel)}`);
  } catch (error) {
    hosts.lose(client);
    throw new StoreUnavailable(`the database cannot be listened to: ${said(error)}`, { cause: error });
  }
  let isOpen = true;
  const close = (): void => {
    if (isOpen) hosts.discard(client);
    isOpen = false;
  };
  void lost.then(close);
  return { lost, close };
}
