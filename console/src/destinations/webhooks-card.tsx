import { webhooksConfig } from '@waybill/client/config';
import { useState } from 'react';
import { saveDraft } from '../session/save-draft.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { messageOf, refuses } from '../ui/errors.ts';
import { Failure } from '../ui/failure.tsx';
import { HooksEditor } from './hooks-editor.tsx';
import { SettingSwitches } from './setting-switches.tsx';
import { NewSecret, Signing } from './signing.tsx';
import { type Destination, useDestinationChange } from './queries.ts';
import { type Hook, hooksValue, settingsOf, type WebhookSettings } from './settings.ts';

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
      <div className="stack">
        <Urls settings={settings} />
        <Signing destination={destination} />
      </div>
      {destination.deliverable && <SettingSwitches destination={destination} />}
      {open === 'hooks' && <EditHooks destination={destination} hooks={settings.hooks} onClose={close} />}
      {open === 'secret' && <NewSecret destination={destination} onClose={close} />}
    </Card>
  );
}

function Urls({ settings: { hooks, globalHook } }: { readonly settings: WebhookSettings }) {
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
    </div>
  );
}

interface EditProps {
  readonly destination: Destination;
  readonly onClose: () => void;
}

function EditHooks({ destination, hooks: given, onClose }: EditProps & { readonly hooks: readonly Hook[] }) {
  const [before] = useState(given);
  const [hooks, setHooks] = useState(given);
  const change = useDestinationChange(
    destination,
    ({ destinations }, next: readonly Hook[]) =>
      saveDraft(destinations, {
        name: destination.name,
        before,
        valueOf: (read: Destination) => settingsOf(read).hooks,
        changes: { config: webhooksConfig({ hooks: hooksValue(next) }) },
      }),
    onClose,
  );
  const error = refuses(change.error, '.hook') ? messageOf(change.error) : undefined;
  const save = (
    <Button type="submit" look="primary" disabled={change.isPending}>
      Save
    </Button>
  );
  return (
    <Dialog title="Edit URLs" actions={save} onSubmit={() => change.mutate(hooks)} onClose={onClose}>
      <div className="stack">
        <HooksEditor hooks={hooks} error={error} onChange={setHooks} />
        {change.error !== null && error === undefined && <Failure error={change.error} />}
      </div>
    </Dialog>
  );
}
