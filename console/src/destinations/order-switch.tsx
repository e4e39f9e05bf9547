import { webhooksConfig } from '@waybill/client/config';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { messageOf } from '../ui/failure.tsx';
import { Switch } from '../ui/field.tsx';
import { type Destination, placeOf } from './queries.ts';
import { settingsOf } from './settings.ts';

/** Applies to events that are accepted from then on. */
export function OrderSwitch({ destination }: { readonly destination: Destination }) {
  const { canWrite } = useWorkspace();
  const { source } = placeOf(destination.name);
  const change = useChange(
    (client, isInOrder: boolean) =>
      client.destinations.update(destination.name, {
        config: webhooksConfig({ ordering: isInOrder ? 'user' : 'none' }),
      }),
    [['sources', source, 'destinations']],
  );
  const isInOrder = change.isPending ? change.variables : settingsOf(destination).isInOrder;
  return (
    <div className="setting">
      <Switch
        label="Events of each user in order"
        checked={isInOrder}
        disabled={!canWrite || change.isPending}
        onChange={(checked) => change.mutate(checked)}
      />
      <div>
        <div>Events of each user in order</div>
        <div className="muted small">
          {isInOrder
            ? 'They arrive in the order in which they were accepted, one at a time.'
            : 'Off: events arrive in any order, several at a time.'}
        </div>
      </div>
      {change.error !== null && (
        <span className="wrong" role="alert">
          {messageOf(change.error)}
        </span>
      )}
    </div>
  );
}
