import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { focusOn, isTyping, useKeydown } from '../ui/use-keydown.ts';
import { SCREENS } from './screens.ts';

const OTHERS = [
  ['/', 'Search this page'],
  ['?', 'Show this list'],
  ['Esc', 'Close a dialog'],
] as const;

/** Keys that work on every page, and the list of them. */
export function Keys({ workspace }: { readonly workspace: string }) {
  const [isOpen, setOpen] = useState(false);
  useKeys(workspace, () => setOpen(true));
  if (!isOpen) return null;
  const keys = [...SCREENS.map(({ key, title }) => [`g ${key}`, title] as const), ...OTHERS];
  return (
    <Dialog title="Keyboard" closeText="Close" onClose={() => setOpen(false)}>
      <ul className="stack-tight keys">
        {keys.map(([key, meaning]) => (
          <li key={key} className="row-between">
            {meaning}
            <span className="row">
              {key.split(' ').map((one) => (
                <kbd key={one} className="kbd">
                  {one}
                </kbd>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function useKeys(workspace: string, showList: () => void): void {
  const navigate = useNavigate();
  const previous = useRef('');
  useKeydown((event) => {
    if (isTyping(event)) return;
    const screen = previous.current === 'g' ? SCREENS.find(({ key }) => key === event.key) : undefined;
    previous.current = event.key;
    if (event.key === '?') showList();
    if (event.key === '/') focusOn(event, 'input[type=search]');
    if (screen !== undefined) void navigate({ to: screen.to, params: { workspace } });
  });
}
