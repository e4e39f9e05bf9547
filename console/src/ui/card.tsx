import type { ReactNode } from 'react';

interface CardProps {
  readonly title?: string;
  readonly note?: ReactNode;
  readonly action?: ReactNode;
  /** Tables and lists reach to the edge. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

export function Card({ title, note, action, flush = false, children }: CardProps) {
  return (
    <section className="card" aria-label={title}>
      {title !== undefined && (
        <div className="card-head">
          <div>
            <h2>{title}</h2>
            {note !== undefined && <p>{note}</p>}
          </div>
          {action}
        </div>
      )}
      <div className={flush ? undefined : 'card-body'}>{children}</div>
    </section>
  );
}
