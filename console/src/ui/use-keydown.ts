import { useEffectEvent, useLayoutEffect } from 'react';

/**
 * Hears keys, wherever the focus is; those with Ctrl, Meta or Alt are the browser's. From the moment that something is seen, a
 * key acts on it: the listener is there with the first elements, and what it calls is always of the render that is shown.
 */
export function useKeydown(press: (event: KeyboardEvent) => void): void {
  const onKeydown = useEffectEvent(press);
  useLayoutEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey) onKeydown(event);
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);
}

/** Whether the key is for a field or a dialog, and not for the page. */
export function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.matches('input:not([type=checkbox]), select, textarea, dialog *');
}

/** Instead of what the browser would do with the key; nothing where there is no such field. */
export function focusOn(event: KeyboardEvent, selector: string): void {
  const field = document.querySelector<HTMLInputElement>(selector);
  if (field === null) return;
  event.preventDefault();
  field.focus();
}
