import { type ReactNode, useEffect } from 'react';

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Links to what this page stands below. */
  readonly crumbs?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, lead, crumbs, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Waybill`;
  }, [title]);
  return (
    <>
      <header className="page-head">
        <div className="grow">
          {crumbs !== undefined && (
            <nav aria-label="Breadcrumbs" className="crumbs">
              {crumbs}
            </nav>
          )}
          <h1>{title}</h1>
          {lead !== undefined && <div className="lead">{lead}</div>}
        </div>
        {actions !== undefined && <div className="row">{actions}</div>}
      </header>
      {children}
    </>
  );
}
