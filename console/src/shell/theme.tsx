import { useState } from 'react';
import { Button } from '../ui/button.tsx';

const KEY = 'waybill.theme';

type Theme = 'light' | 'dark';

/** What was chosen here before; without a choice the system's. */
export function applyTheme(storage: Storage): void {
  const chosen = storage.getItem(KEY);
  if (chosen !== null) document.documentElement.dataset['theme'] = chosen;
}

export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(currentTheme);
  const other: Theme = theme === 'dark' ? 'light' : 'dark';
  const change = (): void => {
    localStorage.setItem(KEY, other);
    applyTheme(localStorage);
    setTheme(other);
  };
  const label = `Use the ${other} theme`;
  return (
    <Button look="quiet" icon={other === 'dark' ? 'moon' : 'sun'} aria-label={label} title={label} onClick={change} />
  );
}

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'dark' || chosen === 'light') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
