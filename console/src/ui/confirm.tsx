import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';

/** What is done once somebody agrees. */
interface Mutation {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly mutate: (input: undefined) => void;
}

interface ConfirmProps {
  readonly title: string;
  readonly action: string;
  readonly children: ReactNode;
  readonly mutation: Mutation;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, action, children, mutation, onClose }: ConfirmProps) {
  const button = (
    <Button look="danger" disabled={mutation.isPending} onClick={() => mutation.mutate(undefined)}>
      {action}
    </Button>
  );
  return (
    <Dialog title={title} actions={button} onClose={onClose}>
      <div className="stack-tight">
        <div className="muted">{children}</div>
        {mutation.error !== null && <Failure error={mutation.error} />}
      </div>
    </Dialog>
  );
}

interface DeleteProps extends Pick<ConfirmProps, 'mutation' | 'children'> {
  /** What it is called, and what it is. */
  readonly title: string;
  readonly what: string;
}

/** Deletes what a page is about, once somebody agrees to what goes with it. */
export function DeleteButton({ title, what, mutation, children }: DeleteProps) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button icon="trash" onClick={() => setAsked(true)}>
        Delete
      </Button>
      {isAsked && (
        <Confirm
          title={`Delete ${title}?`}
          action={`Delete ${what}`}
          mutation={mutation}
          onClose={() => setAsked(false)}
        >
          {children}
        </Confirm>
      )}
    </>
  );
}
