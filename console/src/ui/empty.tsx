import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  /** What to do next. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <h3>{title}</h3>
      <p>{children}</p>
      {action !== undefined && <div className="row">{action}</div>}
    </div>
  );
}
