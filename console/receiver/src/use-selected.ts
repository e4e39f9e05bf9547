import { useEffect, useState } from 'react';
import { focusOn, isTyping, useKeydown } from '../../src/ui/use-keydown.ts';
import type { Summary } from './control.ts';

/** The request that the address names: so Back leads to the one before, and a reload to the same. */
export function useSelected(): number | undefined {
  const [selected, setSelected] = useState(() => numberIn(location.hash));
  useEffect(() => {
    const read = (): void => setSelected(numberIn(location.hash));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return selected;
}

function numberIn(hash: string): number | undefined {
  return /^#[1-9]\d{0,14}$/.test(hash) ? Number(hash.slice(1)) : undefined;
}

/** j and k go through the requests, r replays, / searches, Escape leads back to the list. */
export function useKeys(requests: readonly Summary[]): void {
  useKeydown((event) => {
    if (event.key === 'Escape') return leave();
    if (isTyping(event)) return;
    if (event.key === 'j' || event.key === 'k') move(requests, event.key === 'j' ? 1 : -1);
    if (event.key === '/') focusOn(event, 'input[type=search]');
    if (event.key === 'r') focusOn(event, 'article input');
  });
}

/** Out of a field first, then out of a request. */
function leave(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement) activeElement.blur();
  else location.hash = '';
}

/** From where the address is: what is shown follows only once its change is told. */
function move(requests: readonly Summary[], by: 1 | -1): void {
  const selected = numberIn(location.hash);
  const at = requests.findIndex(({ number }) => number === selected);
  const next = requests[at === -1 ? 0 : at + by];
  if (next === undefined) return;
  location.hash = String(next.number);
  document.querySelector(`a[href="#${next.number}"]`)?.scrollIntoView({ block: 'nearest' });
}
