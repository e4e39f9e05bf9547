import { webhooksConfig, type WebhooksSettings } from '@waybill/client/config';
import { useWorkspace } from '../session/workspace.tsx';
import { messageOf } from '../ui/errors.ts';
import { Switch } from '../ui/field.tsx';
import { type Destination, useDestinationChange } from './queries.ts';
import { settingsOf, type WebhookSettings } from './settings.ts';

interface SwitchWords {
  readonly label: string;
  readonly on: string;
  readonly off: string;
}

interface SettingSwitchProps extends SwitchWords {
  readonly destination: Destination;
  readonly isOn: (settings: WebhookSettings) => boolean;
  readonly settings: (isOn: boolean) => WebhooksSettings;
}

const ORDER: SwitchWords = {
  label: 'Events of each user in order',
  on: 'They arrive in the order in which they were accepted, one at a time.',
  off: 'Off: events arrive in any order, several at a time.',
};

const TRACE: SwitchWords = {
  label: 'Trace context',
  on: 'Requests of sampled events carry traceparent, by which the receiver continues their trace.',
  off: 'Off: requests say nothing of traces.',
};

/** Settings of a webhooks destination that are on or off; they apply to events that are accepted from then on. */
export function SettingSwitches({ destination }: { readonly destination: Destination }) {
  return (
    <>
      <SettingSwitch
        {...ORDER}
        destination={destination}
        isOn={({ isInOrder }) => isInOrder}
        settings={(isOn) => ({ ordering: isOn ? 'user' : 'none' })}
      />
      <SettingSwitch
        {...TRACE}
        destination={destination}
        isOn={({ hasTraceContext }) => hasTraceContext}
        settings={(isOn) => ({ traceContext: isOn })}
      />
    </>
  );
}

function SettingSwitch({ destination, isOn, settings, label, on, off }: SettingSwitchProps) {
  const { canWrite } = useWorkspace();
  const change = useDestinationChange(destination, (client, wanted: boolean) =>
    client.destinations.update(destination.name, { config: webhooksConfig(settings(wanted)) }),
  );
  const isSet = change.isPending ? change.variables : isOn(settingsOf(destination));
  return (
    <div className="setting">
      <Switch
        label={label}
        checked={isSet}
        disabled={!canWrite || change.isPending}
        onChange={(checked) => change.mutate(checked)}
      />
      <div>
        <div>{label}</div>
        <div className="muted small">{isSet ? on : off}</div>
      </div>
      {change.error !== null && (
        <span className="wrong" role="alert">
          {messageOf(change.error)}
        </span>
      )}
    </div>
  );
}
