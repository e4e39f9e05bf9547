import { type Clock, systemClock } from '../clock.ts';
import { newMessageId } from '../message-id.ts';
import type { Store, StoredMessage } from '../store.ts';
import { KeptItems } from './kept-items.ts';
import { GONE_MS, isKept, leftEntries } from './left-entries.ts';

export interface PageStoreOptions {
  /** That of the client. What waits is sent with no other. */
  readonly writeKey: string;
  /** That of the client, if it was given one. */
  readonly clock?: Clock | undefined;
}

export interface PageStore extends Store {
  /** Removes what is kept on the device for this write key, by any page of the site. What this page still holds is sent all the same. */
  clear(): void;
}

/** All that waits for one write key takes so many characters at most: a site has some 5 million, for all that it does. */
export const MOST_CHARACTERS = 1_000_000;
/** A page says so often that it is there; timers of hidden ones are held back up to a minute. */
const MARK_MS = 30_000;
/** So often at most it looks how much is kept: others keep, and end, as well. */
const COUNT_MS = 30_000;
/**
 * As long as a request may last, unless the client is told otherwise. So long nobody sends again what was under way as its
 * page ended: nobody hears the answer, and of quick visits each would send all that the ones before it sent.
 */
const UNANSWERED_MS = 15_000;
/** Those who wait for the same moment are so far apart at most, so that the first is seen by the others. */
const SPREAD_MS = 1_000;

/**
 * Keeps messages in the localStorage of a page, so that they outlive it: the next page of the site that makes a client for
 * the same write key sends them. For the option `store` of a client. It is personal data on the device of the visitor. What has no
 * room, or may not be stored, waits in memory, as without a store. Elsewhere than in a page it does nothing.
 */
export function pageStore({ writeKey, clock = systemClock }: PageStoreOptions): PageStore {
  return new LocalStore(new KeptItems(`waybill:${writeKey}:`), clock);
}

/** What is needed of the page's document. */
declare const document: { readonly defaultView: EventSource | null } | null;

interface EventSource {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

class LocalStore implements PageStore {
  readonly #items: KeptItems;
  readonly #clock: Clock;
  #tab = newMessageId();
  /** This one, and those that are gone and whose messages this one sends. While any are left, each has a mark. */
  readonly #tabs = new Set([this.#tab]);
  /** Where each message is that has not ended, and how long. */
  readonly #kept = new Map<string, readonly [name: string, length: number]>();
  /** Messages of requests that have no answer yet. */
  readonly #underWay = new Set<string>();
  /** Tabs of which there are but marks, and what was under way as this page ended. */
  readonly #heirs = new Set<string>();
  #sequence = 0;
  /** Of the last call that was kept. What a tab kept is in its order, also when the clock was set back. */
  #lastAt = 0;
  /** Of what is kept, by this tab or others, as far as it is known, and when it was counted. */
  #characters = 0;
  #countedAt = -Infinity;
  /** What is called as the page ends is kept for the next one, too. */
  #hasEnded = false;
  /** Set while messages are left. */
  #endMarks: (() => void) | undefined;
  /** Set while others keep something that they may leave. */
  #endWaiting: (() => void) | undefined;
  /** Set from `recover` to `close`. */
  #endListening: (() => void) | undefined;
  #take: Parameters<Store['recover']>[0] | undefined;

  constructor(items: KeptItems, clock: Clock) {
    this.#items = items;
    this.#clock = clock;
  }

  recover(take: Parameters<Store['recover']>[0]): readonly StoredMessage[] {
    this.#take = take;
    this.#endListening ??= this.#listen();
    return this.#takeLeft();
  }

  /** What is left by now; what others may leave later is looked for then. */
  #takeLeft(): readonly StoredMessage[] {
    const { entries, marks, waitMs } = leftEntries(this.#list(), this.#tabs, this.#clock.now());
    this.#endWaiting?.();
    this.#endWaiting = waitMs < Infinity ? this.#clock.after(waitMs + this.#turnMs, () => this.#look()) : undefined;
    for (const name of marks) this.#items.remove(name);
    const messages = new Map<string, StoredMessage>();
    for (const { name, tab, value } of entries) {
      const message = messageIn(value);
      if (message === undefined) {
        this.#items.remove(name);
        continue;
      }
      this.#keep(message.messageId, name, value);
      this.#tabs.add(tab);
      messages.set(message.messageId, message);
    }
    this.#mark();
    return [...messages.values()];
  }

  add({ messageId, json }: StoredMessage): void {
    this.#lastAt = Math.max(this.#lastAt, this.#clock.now());
    const [name, value] = [`${this.#tab}:${(this.#sequence += 1)}`, `${this.#lastAt} ${json}`];
    if (!this.#hasRoomFor(value.length)) return;
    this.#keep(messageId, name, value);
    this.#characters += value.length;
    // Another page, or the browser, may have removed all that was kept.
    if (!this.#items.has(this.#tab)) this.#unmark();
    // Before the message, which another page would take otherwise.
    this.#mark();
    if (!this.#items.set(name, value)) this.end([messageId]);
  }

  end(messageIds: readonly string[]): void {
    for (const id of messageIds) this.#forget(id);
    if (this.#kept.size > 0) return;
    this.#unmark();
    for (const tab of this.#heirs) this.#items.remove(tab);
    this.#heirs.clear();
  }

  sending(messageIds: readonly string[]): () => void {
    for (const id of messageIds) this.#underWay.add(id);
    if (this.#hasEnded) this.#handOn(messageIds);
    return () => {
      for (const id of messageIds) this.#underWay.delete(id);
    };
  }

  close(): void {
    this.#endListening?.();
    this.#endListening = undefined;
    this.#endWaiting?.();
    this.#leave();
    // What is left is the next client's as it is that of any other page.
    this.#kept.clear();
    this.#underWay.clear();
    this.#heirs.clear();
    this.#tab = newMessageId();
    this.#unmark();
  }

  clear(): void {
    for (const [name] of this.#list()) this.#items.remove(name);
    this.#kept.clear();
    this.#characters = 0;
    this.#unmark();
  }

  #look(): void {
    const messages = this.#hasEnded ? [] : this.#takeLeft();
    if (messages.length > 0) this.#take?.(messages);
  }

  /** How long this tab lets others go first. */
  get #turnMs(): number {
    return (Number.parseInt(this.#tab.slice(0, 4), 16) / 0x1_00_00) * SPREAD_MS;
  }

  /** A page that ends says so: the next need not wait. One that is shown again goes on; what another sent meanwhile has the same ids. */
  #listen(): () => void {
    const view = typeof document === 'undefined' ? undefined : document?.defaultView;
    const turned = (hasEnded: boolean) => (): void => {
      this.#hasEnded = hasEnded;
      if (hasEnded) this.#leave();
      else this.#return();
    };
    const [left, shown] = [turned(true), turned(false)];
    view?.addEventListener('pagehide', left);
    view?.addEventListener('pageshow', shown);
    return () => {
      view?.removeEventListener('pagehide', left);
      view?.removeEventListener('pageshow', shown);
    };
  }

  /** The next page takes all at once, but what is under way. */
  #leave(): void {
    this.#unmark();
    this.#handOn(Array.from(this.#underWay));
  }

  #return(): void {
    for (const tab of this.#heirs) this.#tabs.add(tab);
    this.#heirs.clear();
    this.#mark();
    this.#look();
  }

  /** To a tab that seems to be there for as long as others shall wait. */
  #handOn(messageIds: readonly string[]): void {
    if (!messageIds.some((id) => this.#kept.has(id))) return;
    const tab = newMessageId();
    // Before the messages, as ever.
    this.#items.set(tab, String(this.#clock.now() + UNANSWERED_MS - GONE_MS));
    const moved = messageIds.filter((id) => this.#move(id, tab));
    if (moved.length > 0) this.#heirs.add(tab);
    else this.#items.remove(tab);
  }

  #move(messageId: string, tab: string): boolean {
    const [name, length] = this.#kept.get(messageId) ?? [];
    const next = `${tab}:${(this.#sequence += 1)}`;
    if (name === undefined || length === undefined || !this.#items.rename(name, next)) return false;
    this.#kept.set(messageId, [next, length]);
    return true;
  }

  /** What is kept for this write key. Another that begins with it, and a colon, has the same prefix. */
  #list(): ReturnType<KeptItems['list']> {
    const items = this.#items.list().filter(isKept);
    this.#characters = items.reduce((sum, [, { length }]) => sum + length, 0);
    this.#countedAt = this.#clock.now();
    return items;
  }

  /** A clock that was set back says nothing of how old a count is. */
  #hasRoomFor(length: number): boolean {
    const age = this.#clock.now() - this.#countedAt;
    if (age < 0 || age >= COUNT_MS) this.#list();
    return this.#characters + length <= MOST_CHARACTERS;
  }

  /** Of two messages with one id the server keeps one, so the second takes the place of the first. */
  #keep(messageId: string, name: string, { length }: string): void {
    this.#forget(messageId);
    this.#kept.set(messageId, [name, length]);
  }

  #forget(messageId: string): void {
    const [name, length] = this.#kept.get(messageId) ?? [];
    if (name === undefined || length === undefined) return;
    this.#kept.delete(messageId);
    this.#items.remove(name);
    this.#characters -= length;
  }

  /** While messages are left, others are told that this tab sends them. */
  #mark(): void {
    if (this.#hasEnded || this.#kept.size === 0 || this.#endMarks) return;
    for (const tab of this.#tabs) this.#items.set(tab, String(this.#clock.now()));
    this.#endMarks = this.#clock.after(MARK_MS, () => {
      this.#endMarks = undefined;
      this.#mark();
    });
  }

  #unmark(): void {
    this.#endMarks?.();
    this.#endMarks = undefined;
    for (const tab of this.#tabs) this.#items.remove(tab);
    if (this.#kept.size > 0) return;
    this.#tabs.clear();
    this.#tabs.add(this.#tab);
  }
}

/** Undefined for what is no message: somebody else wrote it. */
function messageIn(value: string): StoredMessage | undefined {
  const json = value.slice(value.indexOf(' ') + 1);
  try {
    const { messageId }: { readonly messageId?: unknown } = JSON.parse(json);
    return typeof messageId === 'string' ? { messageId, json } : undefined;
  } catch {
    return undefined;
  }
}
