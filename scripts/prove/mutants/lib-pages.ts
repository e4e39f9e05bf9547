import type { Mutant } from '../mutant.ts';

const STORE = 'client/analytics/browser/page-store.ts';

/** Faults by which a page loses the calls that it keeps, or sends those of another (LIB-2). */
export const LIB_PAGES: readonly Mutant[] = [
  {
    rule: 'LIB-2',
    file: STORE,
    find: 'if (tab === undefined || !isGone(tab)) continue;',
    replace: 'if (tab === undefined) continue;',
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
    find: 'this.#tabs.add(tab);',
    replace: '',
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
    find: '.filter(([name]) => NAME.test(name))',
    replace: '',
    breaks: 'what one write key keeps is removed with that of another',
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
