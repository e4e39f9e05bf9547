import type { ComponentProps } from 'react';
import { buttonClass } from '../../src/ui/button.tsx';

/** A link within the page that looks like a button. */
export function ButtonAnchor({ children, ...rest }: ComponentProps<'a'>) {
  return (
    <a {...rest} className={buttonClass('small')}>
      {children}
    </a>
  );
}
