import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';

export type Tone = 'ok' | 'warn' | 'bad' | 'busy' | 'idle';

const ICONS: Readonly<Record<Tone, IconName>> = {
  ok: 'check',
  warn: 'alert',
  bad: 'alert',
  busy: 'clock',
  idle: 'info',
};

export function Notice({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <div className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={ICONS[tone]} />
      <div>{children}</div>
    </div>
  );
}

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
