import { useState } from 'react';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { randomToken, slugOf } from '../ui/names.ts';
import { changeKeys, type Source } from './queries.ts';

const KEY_LENGTH = 32;
const MAX_KEYS = 10;

/** All keys of a source are valid at the same time: that is how one is rotated. */
export function KeysCard({ source }: { readonly source: Source }) {
  const { canWrite } = useWorkspace();
  const [isRotating, setRotating] = useState(false);
  const [removed, setRemoved] = useState<string>();
  const { write_keys: keys } = source;
  const action = (
    <Button size="small" icon="replay" disabled={keys.length >= MAX_KEYS} onClick={() => setRotating(true)}>
      Rotate
    </Button>
  );
  return (
    <Card title="Write keys" note="An SDK sends events with one of them." action={canWrite && action}>
      <ul className="keys stack-tight">
        {keys.map((key, index) => (
          <li key={key === '[redacted]' ? index : key} className="secret">
            <code>{key}</code>
            {key !== '[redacted]' && <CopyButton text={key} what={`write key ${index + 1}`} />}
            {canWrite && keys.length > 1 && (
              <Button
                size="small"
                look="quiet"
                icon="trash"
                aria-label={`Remove write key ${index + 1}`}
                onClick={() => setRemoved(key)}
              />
            )}
          </li>
        ))}
      </ul>
      {isRotating && <RotateKey source={source} onClose={() => setRotating(false)} />}
      {removed !== undefined && <RemoveKey source={source} removed={removed} onClose={() => setRemoved(undefined)} />}
    </Card>
  );
}

interface KeyDialogProps {
  readonly source: Source;
  readonly onClose: () => void;
}

function RotateKey({ source, onClose }: KeyDialogProps) {
  const [isHard, setHard] = useState(false);
  const rotate = useChange(
    (client) => {
      const key = randomToken(KEY_LENGTH);
      return changeKeys(client, source.name, (keys) => (isHard ? [key] : [key, ...keys]));
    },
    [['sources', slugOf(source.name)]],
    onClose,
  );
  const button = (
    <Button look="primary" disabled={rotate.isPending} onClick={() => rotate.mutate(undefined)}>
      Make a new key
    </Button>
  );
  return (
    <Dialog title="Rotate the write key" actions={button} onClose={onClose}>
      <div className="stack-tight">
        <p className="muted">
          A new key is made. The keys of today stay valid: move your senders to the new one, then remove the old ones
          here.
        </p>
        <label className="row">
          <input type="checkbox" checked={isHard} onChange={(event) => setHard(event.currentTarget.checked)} />
          A key has leaked: refuse all old keys at once
        </label>
        {rotate.error !== null && <Failure error={rotate.error} />}
      </div>
    </Dialog>
  );
}

function RemoveKey({ source, removed, onClose }: KeyDialogProps & { readonly removed: string }) {
  const remove = useChange(
    (client) => changeKeys(client, source.name, (keys) => keys.filter((key) => key !== removed)),
    [['sources', slugOf(source.name)]],
    onClose,
  );
  return (
    <Confirm title="Remove this write key?" action="Remove key" mutation={remove} onClose={onClose}>
      Events that are sent with <code>{removed}</code> are refused from then on.
    </Confirm>
  );
}
