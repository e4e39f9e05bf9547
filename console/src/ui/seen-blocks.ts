import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react';

/** Blocks from the first to before the last. */
export interface Seen {
  readonly from: number;
  readonly to: number;
}

export interface SeenBlocks {
  readonly seen: Seen;
  /** How high the blocks of a range are, in pixels: measured, or guessed. */
  readonly heightOf: (from: number, to: number) => number;
  /** Tells how high a block is that is shown. */
  readonly measured: (block: number, height: number) => void;
}

/**
 * Which blocks of a list that is scrolled with the page are near the window: only they are worth their elements. `guesses` are
 * the heights of blocks, as far as nobody has seen them; `heights` takes up those that were.
 */
export function useSeenBlocks(
  list: RefObject<HTMLElement | null>,
  guesses: readonly number[],
  heights: Map<number, number>,
): SeenBlocks {
  const [watch] = useState(() => createWatch(heights));
  const seen = useSyncExternalStore(watch.subscribe, watch.seen);
  useLayoutEffect(() => watch.look(list.current, guesses));
  return { seen, heightOf: (from, to) => watch.heightOf(guesses, from, to), measured: watch.measured };
}

function createWatch(heights: Map<number, number>) {
  let [list, guesses]: [HTMLElement | null, readonly number[]] = [null, []];
  let [seen, changed]: [Seen, () => void] = [{ from: 0, to: 1 }, () => undefined];
  const heightOf = (guessed: readonly number[], from: number, to: number): number => {
    let sum = 0;
    for (let block = from; block < to; block += 1) sum += heights.get(block) ?? guessed[block] ?? 0;
    return sum;
  };
  const lookAgain = (): void => {
    const top = -(list?.getBoundingClientRect().top ?? 0);
    const now = seenBetween(
      guesses.map((guess, block) => heights.get(block) ?? guess),
      top - innerHeight,
      top + 2 * innerHeight,
    );
    if (now.from === seen.from && now.to === seen.to) return;
    seen = now;
    changed();
  };
  return {
    heightOf,
    seen: () => seen,
    look: (shown: HTMLElement | null, guessed: readonly number[]): void => {
      [list, guesses] = [shown, guessed];
      lookAgain();
    },
    measured: (block: number, height: number): void => {
      if (heights.get(block) === height) return;
      heights.set(block, height);
      lookAgain();
    },
    subscribe: (listener: () => void): (() => void) => {
      changed = listener;
      return whileScrolled(lookAgain);
    },
  };
}

/** Answers how to listen no longer. */
function whileScrolled(look: () => void): () => void {
  // It does not bubble, and what scrolls need not be the window.
  addEventListener('scroll', look, { capture: true, passive: true });
  addEventListener('resize', look);
  return () => {
    removeEventListener('scroll', look, { capture: true });
    removeEventListener('resize', look);
  };
}

/** At least one, where there are any. */
function seenBetween(heights: readonly number[], begin: number, end: number): Seen {
  let [from, to, at] = [0, 0, 0];
  for (const [block, height] of heights.entries()) {
    if (at < end) to = block + 1;
    at += height;
    if (at < begin) from = block + 1;
  }
  return { from: Math.min(from, Math.max(0, to - 1)), to };
}
