import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icons.tsx';

export interface Looks {
  readonly look?: 'primary' | 'danger' | 'quiet' | undefined;
  readonly size?: 'small' | undefined;
  readonly icon?: IconName | undefined;
}

export function Button({ look, size, icon, children, type = 'button', ...rest }: ComponentProps<'button'> & Looks) {
  return (
    <button {...rest} type={type} className={buttonClass(look, size)}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

export function buttonClass(...looks: readonly (string | undefined)[]): string {
  return ['button', ...looks].filter((look) => look !== undefined).join(' ');
}
