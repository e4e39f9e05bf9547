import type { Mutant } from '../mutant.ts';

const STORE = 'client/analytics/node/disk-store.ts';

/** Faults by which a folder has two clients, a disk more or less than it should, or an outage lasts on (LIB-2). */
export const LIB_DISKS: readonly Mutant[] = [
  {
    rule: 'LIB-2',
    file: STORE,
    find: 'this.#leaveFolder ??= takeFolder(this.#folder);',
    replace: '',
    breaks: 'a closed store works for its next client in a folder that others may take as well',
  },
  {
    rule: 'LIB-2',
    file: STORE,
    find: 'if (this.#hasClient) throw new Error(`The store in ${this.#folder} belongs',
    replace: 'if (false) throw new Error(`The store in ${this.#folder} belongs',
    breaks: 'two clients with one store send each other’s messages',
  },
  {
    rule: 'LIB-2',
    file: 'client/analytics/default-client.ts',
    find: 'if (!closed?.used.store) current = undefined;',
    replace: 'current = undefined;',
    breaks: 'a call beside the close of the default client throws, as its store still has a client',
  },
  {
    rule: 'LIB-2',
    file: STORE,
    find: 'const messages = new Map<string, StoredMessage>();',
    replace: 'const messages = new Map<string, StoredMessage>();\n    this.#startSegment();',
    breaks: 'each start leaves a file, and is none where no file can be opened',
  },
  {
    rule: 'LIB-2',
    file: STORE,
    find: 'const isAllEnded = this.#chapterOf.size === 0 && this.#chapters.length === this.#writtenCount;',
    replace: 'const isAllEnded = this.#chapterOf.size === 0;',
    breaks: 'what a file that could not be removed holds is sent again, although it was delivered',
  },
  {
    rule: 'LIB-2',
    file: 'client/analytics/sender.ts',
    find: 'if (!failed && this.#reporter.trouble) this.#queue.restore();',
    replace: '',
    breaks: 'after an outage all that waited goes message by message',
  },
  {
    rule: 'LIB-2',
    file: 'client/analytics/queue.ts',
    find: 'this.items = items.sort((a, b) => a.sequence - b.sequence);',
    replace: 'this.items = items;',
    breaks: 'after an outage all that waited is out of order',
  },
  {
    rule: 'LIB-2',
    file: STORE,
    find: 'if (damaged > 0) log?.warn(`${damaged} lines of ${path} are damaged: what they held is lost`);',
    replace: '',
    breaks: 'what a damaged disk lost is told to nobody',
  },
  {
    rule: 'LIB-2',
    file: 'client/analytics/node/segment.ts',
    find: 'if (error) this.#hasFailed = true;',
    replace: '',
    breaks: 'calls are told that they are kept on a disk that fails each sync',
  },
  {
    rule: 'LIB-2',
    file: 'client/analytics/node/records.ts',
    find: 'if (check !== undefined && check !== checkOf(json)) return undefined;',
    replace: '',
    breaks: 'a message that a disk changed is sent, and another is taken for delivered',
  },
  {
    rule: 'LIB-2',
    file: 'client/analytics/retry-decision.ts',
    find: '(status < 0 ? SILENCE : 1)',
    replace: '(status < 0 ? 0 : 1)',
    breaks: 'with a store, a message that ends each connection keeps all others waiting for ever',
  },
  {
    rule: 'LIB-15',
    file: STORE,
    find: 'if (this.#isFailingEnds) return;',
    replace: '',
    breaks: 'a full disk is told of after each batch',
  },
  {
    rule: 'LIB-7',
    file: 'client/analytics/request.ts',
    find: 'safely(() => (landed = settings.store?.sending?.(idsOf(items))), reporter.onThrow);',
    replace: 'landed = settings.store?.sending?.(idsOf(items));',
    breaks: 'a batch is given up when the store throws as its request begins',
  },
  {
    rule: 'LIB-11',
    file: 'client/analytics/gzip.ts',
    find: '} catch {\n    return undefined;',
    replace: '} catch (error) {\n    throw error;',
    breaks: 'a batch is given up where compression breaks',
  },
];
