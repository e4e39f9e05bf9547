import { webhooksConfig } from '@waybill/client/config';
import { useState } from 'react';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Secret } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Failure, messageOf, refuses } from '../ui/failure.tsx';
import { randomToken } from '../ui/names.ts';
import { Badge, Notice } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { HooksEditor } from './hooks-editor.tsx';
import { SettingSwitches } from './setting-switches.tsx';
import { type Destination, placeOf } from './queries.ts';
import { type Hook, hooksValue, settingsOf, type WebhookSettings } from './settings.ts';

const SECRET_LENGTH = 40;
/** A day. */
const OVERLAP_S = 86_400;

export function WebhooksCard({ destination }: { readonly destination: Destination }) {
  const { canWrite } = useWorkspace();
  const [open, setOpen] = useState<'hooks' | 'secret'>();
  const settings = settingsOf(destination);
  const actions = canWrite && destination.deliverable && (
    <div className="row">
      <Button size="small" onClick={() => setOpen('secret')}>
        {settings.secret === '' ? 'Sign requests' : 'New secret'}
      </Button>
      <Button size="small" onClick={() => setOpen('hooks')}>
        Edit URLs
      </Button>
    </div>
  );
  const close = (): void => setOpen(undefined);
  return (
    <Card title="Webhooks" action={actions}>
      <Settings settings={settings} />
      {destination.deliverable && <SettingSwitches destination={destination} />}
      {destination.rotation !== undefined && <Rotation destination={destination} end={destination.rotation.end_time} />}
      {open === 'hooks' && <EditHooks destination={destination} hooks={settings.hooks} onClose={close} />}
      {open === 'secret' && <NewSecret destination={destination} onClose={close} />}
    </Card>
  );
}

function Settings({ settings: { hooks, secret, globalHook } }: { readonly settings: WebhookSettings }) {
  const urls = globalHook === '' ? hooks : [...hooks, { url: globalHook, headers: [] }];
  return (
    <div className="stack-tight">
      {urls.length === 0 && <p className="muted">No URL is set: nothing can be delivered.</p>}
      <ul className="keys stack-tight">
        {urls.map(({ url, headers }, index) => (
          <li key={index} className="mono wrap">
            {url}
            {headers.map(({ key, value }) => (
              <div key={key} className="muted small">
                {key}: {value}
              </div>
            ))}
          </li>
        ))}
      </ul>
      <div className="row">
        <Badge tone={secret === '' ? 'warn' : 'ok'}>
          {secret === '' ? 'Requests are not signed' : 'Signed with X-Signature'}
        </Badge>
      </div>
    </div>
  );
}

/** While two secrets are valid. */
function Rotation({ destination, end }: { readonly destination: Destination; readonly end: string }) {
  const { canWrite } = useWorkspace();
  const { source } = placeOf(destination.name);
  const finish = useChange(
    (client) => client.destinations.finishRotation(destination.name),
    [['sources', source, 'destinations']],
  );
  return (
    <div className="rotation">
      <Notice tone="busy">
        <strong>Two secrets are valid.</strong> The old one ends <Time value={end} />.
        {canWrite && (
          <p>
            <Button size="small" disabled={finish.isPending} onClick={() => finish.mutate(undefined)}>
              End the old secret now
            </Button>
          </p>
        )}
        {finish.error !== null && <Failure error={finish.error} />}
      </Notice>
    </div>
  );
}

interface EditProps {
  readonly destination: Destination;
  readonly onClose: () => void;
}

function useConfig({ destination, onClose }: EditProps) {
  const { source } = placeOf(destination.name);
  return useChange(
    (client, settings: Parameters<typeof webhooksConfig>[0]) =>
      client.destinations.update(destination.name, { config: webhooksConfig(settings) }),
    [['sources', source, 'destinations']],
    onClose,
  );
}

function EditHooks({ hooks: given, ...props }: EditProps & { readonly hooks: readonly Hook[] }) {
  const [hooks, setHooks] = useState(given);
  const change = useConfig(props);
  const error = refuses(change.error, 'hook') ? messageOf(change.error) : undefined;
  const save = (
    <Button look="primary" disabled={change.isPending} onClick={() => change.mutate({ hooks: hooksValue(hooks) })}>
      Save
    </Button>
  );
  return (
    <Dialog title="Edit URLs" actions={save} onClose={props.onClose}>
      <div className="stack">
        <HooksEditor hooks={hooks} error={error} onChange={setHooks} />
        {change.error !== null && error === undefined && <Failure error={change.error} />}
      </div>
    </Dialog>
  );
}

function NewSecret({ destination, onClose }: EditProps) {
  const { source } = placeOf(destination.name);
  const [secret] = useState(() => randomToken(SECRET_LENGTH));
  const [isHard, setHard] = useState(false);
  const rotate = useChange(
    (client, overlap_seconds: number) =>
      client.destinations.rotateSecret(destination.name, { secret, overlap_seconds }),
    [['sources', source, 'destinations']],
    onClose,
  );
  const save = (
    <Button look="primary" disabled={rotate.isPending} onClick={() => rotate.mutate(isHard ? 0 : OVERLAP_S)}>
      Sign with this secret
    </Button>
  );
  return (
    <Dialog title="New signing secret" actions={save} onClose={onClose}>
      <div className="stack-tight">
        <p className="muted">
          Requests are signed for both secrets for a day: give this one to the receiver within that time.
        </p>
        <Secret text={secret} what="signing secret" />
        <label className="row">
          <input type="checkbox" checked={isHard} onChange={(event) => setHard(event.currentTarget.checked)} />
          The old secret has leaked: stop signing with it at once
        </label>
        {rotate.error !== null && <Failure error={rotate.error} />}
      </div>
    </Dialog>
  );
}
