import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { buttonClass, type Looks } from './button.tsx';
import { Icon } from './icons.tsx';

/** A link that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor);

function ButtonAnchor({ look, size, icon, children, ...rest }: ComponentProps<'a'> & Looks) {
  return (
    <a {...rest} className={buttonClass(look, size)}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </a>
  );
}
