import { useEffectEvent, useLayoutEffect } from 'react';

/**
 * Hears keys, wherever the focus is. From the moment that something is seen, a key acts on it: the listener is there with the
 * first elements, and what it calls is always of the render that is shown.
 */
export function useKeydown(press: (event: KeyboardEvent) => void): void {
  const onKeydown = useEffectEvent(press);
  useLayoutEffect(() => {
    const hear = (event: KeyboardEvent): void => onKeydown(event);
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);
}
