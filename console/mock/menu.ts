import { WORLDS, type WorldName } from './world-names.ts';

/** In a corner of every screen: which world is shown, and the others. */
export function showMenu(shown: WorldName, choose: (name: WorldName) => void): void {
  const select = document.createElement('select');
  select.ariaLabel = 'World';
  select.style.cssText = 'position: fixed; inset: auto 0.75rem 0.75rem auto; z-index: 10; padding: 0.25rem';
  for (const name of WORLDS) select.add(new Option(name, name, false, name === shown));
  select.addEventListener('change', () => {
    const next = WORLDS.find((one) => one === select.value);
    if (next !== undefined) choose(next);
  });
  const nav = document.createElement('nav');
  nav.ariaLabel = 'Mock';
  nav.append(select);
  document.body.append(nav);
}
