import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icons.tsx';

interface Looks {
  readonly look?: 'primary' | 'danger' | 'quiet' | undefined;
  readonly size?: 'small' | undefined;
  readonly icon?: IconName | undefined;
}

export function Button({ look, size, icon, children, type = 'button', ...rest }: ComponentProps<'button'> & Looks) {
  return (
    <button {...rest} type={type} className={classOf(look, size)}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor);

function ButtonAnchor({ look, size, icon, children, ...rest }: ComponentProps<'a'> & Looks) {
  return (
    <a {...rest} className={classOf(look, size)}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </a>
  );
}

function classOf(...looks: readonly (string | undefined)[]): string {
  return ['button', ...looks].filter((look) => look !== undefined).join(' ');
}
