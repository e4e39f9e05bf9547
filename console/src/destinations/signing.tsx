import { webhooksConfig } from '@waybill/client/config';
import { useState } from 'react';
import { useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Code, Secret } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Badge, Notice } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { type Destination, useDestinationChange } from './queries.ts';
import { settingsOf, type Signature } from './settings.ts';

/** A day. */
const OVERLAP_S = 86_400;

const SIGNED: Readonly<Record<Signature, string>> = {
  'x-signature': 'X-Signature',
  'standard-webhooks': 'Standard Webhooks',
  both: 'X-Signature and Standard Webhooks',
};

/** How requests are signed, and for which secrets. */
export function Signing({ destination }: { readonly destination: Destination }) {
  const { secret, signature } = settingsOf(destination);
  const { public_keys: keys = [], rotation } = destination;
  return (
    <div className="stack-tight">
      <div className="row">
        <Badge tone={secret === '' ? 'warn' : 'ok'}>
          {secret === '' ? 'Requests are not signed' : `Signed with ${SIGNED[signature]}`}
        </Badge>
      </div>
      {keys.map((key) => (
        <div key={key} className="stack-tight">
          <span className="muted small">Public key: receivers verify with it, and hold no secret</span>
          <Code text={key} what="public key" />
        </div>
      ))}
      {secret !== '' && destination.deliverable && <SignatureChoice destination={destination} />}
      {rotation !== undefined && <Rotation destination={destination} end={rotation.end_time} />}
    </div>
  );
}

function SignatureChoice({ destination }: { readonly destination: Destination }) {
  const { canWrite } = useWorkspace();
  const change = useDestinationChange(destination, (client, signature: Signature) =>
    client.destinations.update(destination.name, { config: webhooksConfig({ signature }) }),
  );
  if (!canWrite) return undefined;
  const { signature } = settingsOf(destination);
  const options = (['x-signature', 'standard-webhooks', 'both'] as const).map((value) => ({
    value,
    text: SIGNED[value],
  }));
  return (
    <div className="row">
      <Choice
        label="Headers of the signature"
        value={change.isPending ? change.variables : signature}
        options={options}
        onChange={(value) => {
          const wanted = options.find((option) => option.value === value);
          if (wanted !== undefined) change.mutate(wanted.value);
        }}
      />
      {change.error !== null && <Failure error={change.error} />}
    </div>
  );
}

/** While two secrets are valid. */
function Rotation({ destination, end }: { readonly destination: Destination; readonly end: string }) {
  const { canWrite } = useWorkspace();
  const finish = useDestinationChange(destination, (client) => client.destinations.finishRotation(destination.name));
  const cancel = useDestinationChange(destination, (client) => client.destinations.cancelRotation(destination.name));
  const isPending = finish.isPending || cancel.isPending;
  const error = finish.error ?? cancel.error;
  return (
    <div className="rotation">
      <Notice tone="busy">
        <strong>Two secrets are valid.</strong> The old one ends <Time value={end} />.
        {canWrite && (
          <div className="row">
            <Button size="small" disabled={isPending} onClick={() => finish.mutate(undefined)}>
              End the old secret now
            </Button>
            <Button size="small" disabled={isPending} onClick={() => cancel.mutate(undefined)}>
              Keep the old secret
            </Button>
          </div>
        )}
        {error !== null && <Failure error={error} />}
      </Notice>
    </div>
  );
}

interface NewSecretProps {
  readonly destination: Destination;
  readonly onClose: () => void;
}

/** The router makes it, of the kind that the destination signs with, and answers it once. */
export function NewSecret({ destination, onClose }: NewSecretProps) {
  const [isHard, setHard] = useState(false);
  const rotate = useDestinationChange(destination, (client, overlap_seconds: number) =>
    client.destinations.rotateSecret(destination.name, { overlap_seconds }),
  );
  if (rotate.data !== undefined) return <MadeSecret made={rotate.data} onClose={onClose} />;
  const make = (
    <Button look="primary" disabled={rotate.isPending} onClick={() => rotate.mutate(isHard ? 0 : OVERLAP_S)}>
      Make a new secret
    </Button>
  );
  return (
    <Dialog title="New signing secret" actions={make} onClose={onClose}>
      <div className="stack-tight">
        <p className="muted">
          Requests are signed for both secrets for a day: give the new one to the receiver within that time.
        </p>
        <label className="row">
          <input type="checkbox" checked={isHard} onChange={(event) => setHard(event.currentTarget.checked)} />
          The old secret has leaked: stop signing with it at once
        </label>
        {rotate.error !== null && <Failure error={rotate.error} />}
      </div>
    </Dialog>
  );
}

interface MadeSecretProps extends Pick<NewSecretProps, 'onClose'> {
  readonly made: { readonly secret?: string; readonly destination: Destination };
}

/** Of a key pair the receiver needs the public key alone. */
function MadeSecret({ made: { secret = '', destination }, onClose }: MadeSecretProps) {
  const [key] = destination.public_keys ?? [];
  const done = (
    <Button look="primary" onClick={onClose}>
      Done
    </Button>
  );
  return (
    <Dialog title="New signing secret" actions={done} onClose={onClose}>
      <div className="stack-tight">
        <p className="muted">
          {key === undefined
            ? 'Give it to the receiver. It is shown this once.'
            : 'A new key pair: the receiver needs its public key, which stays on this page.'}
        </p>
        {key === undefined && <Secret text={secret} what="signing secret" />}
      </div>
    </Dialog>
  );
}
