import { useWorkspace } from '../session/workspace.tsx';
import { messageOf } from '../ui/errors.ts';
import { Switch } from '../ui/field.tsx';
import { titleOf } from '../ui/names.ts';
import { type Destination, useDestinationChange } from './queries.ts';

/** Holds for the next event; what waits for a destination that is switched off is cancelled. */
export function EnabledSwitch({ destination }: { readonly destination: Destination }) {
  const { canWrite } = useWorkspace();
  const change = useDestinationChange(destination, (client, enabled: boolean) =>
    client.destinations.update(destination.name, { enabled }),
  );
  return (
    <span className="row">
      {change.error !== null && (
        <span className="wrong" role="alert">
          {messageOf(change.error)}
        </span>
      )}
      <Switch
        label={`${titleOf(destination)} enabled`}
        checked={change.isPending ? change.variables : destination.enabled}
        disabled={!canWrite || change.isPending}
        onChange={(enabled) => change.mutate(enabled)}
      />
    </span>
  );
}
