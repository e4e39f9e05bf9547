import type { Inbox } from '../inbox.ts';
import type { Operations } from '../verbs.ts';
import type { Rows } from './rows.ts';

export function inboxOperations(rows: Rows): Pick<Operations, keyof Inbox> {
  return {
    readInbox: ({ after, limit }) => [...rows.inbox.values()].filter(({ id }) => id > after).slice(0, limit),
    clearInbox({ upTo }) {
      for (const id of rows.inbox.keys()) if (id <= upTo) rows.inbox.delete(id);
    },
    continueInbox: ({ after }) => rows.continueInbox(after),
  };
}
