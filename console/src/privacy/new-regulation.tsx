import type { NewRegulation as Fields } from '@waybill/client/config';
import { useState } from 'react';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Field } from '../ui/field.tsx';

type Kind = Fields['regulation_type'];

const KINDS: readonly (readonly [Kind, string])[] = [
  ['Suppress_With_Delete', 'Delete their data, and drop their later events'],
  ['Delete', 'Delete their data, and tell the webhooks'],
  ['Delete_Internal', 'Delete their data, and tell nobody'],
  ['Suppress', 'Drop their later events'],
  ['Unsuppress', 'Accept their events again'],
];

export function NewRegulation({ onClose }: { readonly onClose: () => void }) {
  const { name } = useWorkspace();
  const [kind, setKind] = useState<Kind>('Suppress_With_Delete');
  const [text, setText] = useState('');
  const values = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const create = useChange(
    (client, fields: Fields) => client.regulations.create(name, fields),
    [['regulations'], ['suppressed-users']],
    onClose,
  );
  const submit = (): void => create.mutate({ regulation_type: kind, attributes: { name: 'userId', values } });
  const isDeletion = kind !== 'Suppress' && kind !== 'Unsuppress';
  const button = (
    <Button type="submit" look={isDeletion ? 'danger' : 'primary'} disabled={values.length === 0 || create.isPending}>
      {isDeletion ? 'Delete users' : 'Make request'}
    </Button>
  );
  return (
    <Dialog title="New request" actions={button} onSubmit={submit} onClose={onClose}>
      <div className="stack">
        <KindField kind={kind} onChange={setKind} />
        <UsersField text={text} count={values.length} onChange={setText} />
        {create.error !== null && <Failure error={create.error} />}
      </div>
    </Dialog>
  );
}

function KindField({ kind, onChange }: { readonly kind: Kind; readonly onChange: (kind: Kind) => void }) {
  const choose = (value: string): void => {
    const found = KINDS.find(([one]) => one === value);
    if (found !== undefined) onChange(found[0]);
  };
  return (
    <Field label="What shall happen">
      {(described) => (
        <select {...described} className="select" value={kind} onChange={(event) => choose(event.currentTarget.value)}>
          {KINDS.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface UsersFieldProps {
  readonly text: string;
  readonly count: number;
  readonly onChange: (text: string) => void;
}

function UsersField({ text, count, onChange }: UsersFieldProps) {
  return (
    <Field label="User ids" hint={`One a line; ${count} so far. What is deleted cannot be brought back.`}>
      {(described) => (
        <textarea
          {...described}
          className="input"
          rows={5}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
