import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Beside the button that closes it. */
  readonly actions?: ReactNode;
  readonly closeText?: string;
  /** Of a dialog with fields: what its button of the type `submit` does, and Enter in a field. */
  readonly onSubmit?: () => void;
  readonly onClose: () => void;
}

/** Open for as long as it is rendered. The browser's own dialog keeps the focus inside, and closes on Escape. */
export function Dialog({ title, children, actions, closeText = 'Cancel', onSubmit, onClose }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => element.current?.showModal(), []);
  const content = (
    <>
      <div className="dialog-body">{children}</div>
      <div className="dialog-foot">
        <Button onClick={onClose}>{closeText}</Button>
        {actions}
      </div>
    </>
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <dialog ref={element} className="dialog" aria-labelledby={titleId} onClose={onClose}>
      <div className="dialog-head">
        <h2 id={titleId}>{title}</h2>
      </div>
      {onSubmit === undefined ? content : <form onSubmit={submit}>{content}</form>}
    </dialog>
  );
}
