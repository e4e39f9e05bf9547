import type { Mutant } from '../mutant.ts';

const STORE = 'client/analytics/browser/page-store.ts';
const LEFT = 'client/analytics/browser/left-entries.ts';

/** Faults by which a page loses the calls that it keeps, or sends those of another (LIB-2). */
export const LIB_PAGES: readonly Mutant[] = [
  {
    rule: 'LIB-2',
    file: LEFT,
    find: 'if (isThere) continue;',
    replace: '',
    breaks: 'two pages of a site send each other’s calls',
  },
  {
    rule: 'LIB-2',
    file: STORE,
    find: 'this.#items.remove(name);\n    this.#characters -= length;',
    replace: 'this.#characters -= length;',
    breaks: 'what a page delivered is sent again by the next',
  },
  {
    rule: 'LIB-2',
    file: STORE,
    find: 'return this.#characters + length <= MOST_CHARACTERS;',
    replace: 'return true;',
    breaks: 'what a page keeps fills the storage of its site',
  },
  {
    rule: 'LIB-2',
    file: STORE,
    find: 'this.#tabs.add(tab);\n      messages',
    replace: 'messages',
    breaks: 'what a page sends for one that is gone, a third one sends as well',
  },
  {
    rule: 'LIB-2',
    file: STORE,
    find: "view?.addEventListener('pagehide', left);",
    replace: '',
    breaks: 'the calls of a page that ended wait until it counts as gone',
  },
  {
    rule: 'LIB-2',
    file: STORE,
    find: 'for (const tab of this.#tabs) this.#items.set(tab, String(this.#clock.now()));',
    replace: 'this.#items.set(this.#tab, String(0));',
    breaks: 'a page that is there counts as gone',
  },
  {
    rule: 'LIB-2',
    file: STORE,
    find: 'if (this.#hasEnded || ',
    replace: 'if (',
    breaks: 'what is called as a page ends waits until it counts as gone, with all else that it kept',
  },
  {
    rule: 'LIB-2',
    file: STORE,
    find: 'if (age < 0 || age >= COUNT_MS) this.#list();',
    replace: '',
    breaks: 'a page that found the storage full once keeps nothing any more',
  },
  {
    rule: 'LIB-2',
    file: STORE,
    find: '.filter(isKept)',
    replace: '',
    breaks: 'what one write key keeps is removed with that of another',
  },
  {
    rule: 'LIB-2',
    file: STORE,
    find: 'this.#handOn(Array.from(this.#underWay));',
    replace: '',
    breaks: 'of quick visits each sends again what those before it sent, and were not answered',
  },
  {
    rule: 'LIB-2',
    file: STORE,
    find: 'if (this.#hasEnded) this.#handOn(messageIds);',
    replace: '',
    breaks: 'what a page sends as it ends is sent again at once by the next',
  },
  {
    rule: 'LIB-2',
    file: STORE,
    find: 'this.#endWaiting = waitMs < Infinity ? this.#clock.after(waitMs + this.#turnMs, () => this.#look()) : undefined;',
    replace: '',
    breaks: 'what others leave while a page is open waits for another that opens',
  },
  {
    rule: 'LIB-2',
    file: STORE,
    find: 'for (const tab of this.#heirs) this.#tabs.add(tab);',
    replace: '',
    breaks: 'what a page has under way that is shown again, another sends as well',
  },
  {
    rule: 'LIB-2',
    file: STORE,
    find: 'this.#endListening ??= this.#listen();',
    replace: '',
    breaks: 'the next client of a closed store does not tell others that its page ended',
  },
  {
    rule: 'LIB-2',
    file: LEFT,
    find: ' || own.has(tab)',
    replace: '',
    breaks: 'a page whose timers were held back takes its own calls for those of another, and sends them twice',
  },
  {
    rule: 'LIB-2',
    file: 'client/analytics/analytics.ts',
    find: 'this.#sender.sendAll();',
    replace: '',
    breaks: 'what an earlier page left waits for an interval, and quick visits hand it on and on',
  },
  {
    rule: 'LIB-2',
    file: 'client/analytics/browser/kept-items.ts',
    find: "typeof document === 'undefined' ? undefined : document?.defaultView?.localStorage;",
    replace: "Reflect.get(globalThis, 'localStorage') as LocalStorage | undefined;",
    breaks: 'a server that renders pages keeps the calls of all its visitors in one storage',
  },
  {
    rule: 'LIB-2',
    file: 'client/analytics/browser/kept-items.ts',
    find: '} catch {',
    replace: '} catch (error) {\n    throw error;',
    breaks: 'a page whose storage is full or closed loses its calls',
  },
];
