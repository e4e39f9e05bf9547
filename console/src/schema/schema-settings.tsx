import type { SchemaConfig, SchemaConfigChanges } from '@waybill/client/config';
import { useChange, useRead, useWorkspace } from '../session/workspace.tsx';
import { Card } from '../ui/card.tsx';
import { Failure } from '../ui/failure.tsx';
import { Switch } from '../ui/field.tsx';
import { Loaded } from '../ui/loaded.tsx';

/** Each says what an event may do that the plan does not foresee. */
const SWITCHES = [
  ['allow_unplanned_track_events', 'Unplanned events', 'Off: tracked events that the plan does not list are blocked.'],
  ['allow_unplanned_track_event_properties', 'Unplanned properties', 'Off: they are removed from tracked events.'],
  ['allow_unplanned_identify_traits', 'Unplanned traits of users', 'Off: they are removed from identify calls.'],
  ['allow_unplanned_group_traits', 'Unplanned traits of groups', 'Off: they are removed from group calls.'],
  ['allow_track_event_on_violations', 'Events that violate their rule', 'Off: they are blocked.'],
  ['allow_track_properties_on_violations', 'Properties that violate the rule', 'Off: they are removed.'],
  ['allow_identify_traits_on_violations', 'Traits of users that violate the rule', 'Off: they are removed.'],
  ['allow_group_traits_on_violations', 'Traits of groups that violate the rule', 'Off: they are removed.'],
] as const satisfies readonly (readonly [keyof SchemaConfigChanges, string, string])[];

/** Of calls that violate the rule for all events. */
const CHOICES = [
  [
    'common_track_event_on_violations',
    'Track calls against the rule for all events',
    ['ALLOW', 'OMIT_PROPERTIES', 'BLOCK'],
  ],
  [
    'common_identify_event_on_violations',
    'Identify calls against the rule for all events',
    ['ALLOW', 'OMIT_TRAITS', 'BLOCK'],
  ],
  [
    'common_group_event_on_violations',
    'Group calls against the rule for all events',
    ['ALLOW', 'OMIT_TRAITS', 'BLOCK'],
  ],
] as const satisfies readonly (readonly [keyof SchemaConfigChanges, string, readonly string[]])[];

const EFFECTS: Readonly<Record<string, string>> = {
  ALLOW: 'Let them pass',
  OMIT_PROPERTIES: 'Remove the properties',
  OMIT_TRAITS: 'Remove the traits',
  BLOCK: 'Block them',
};

/** What becomes of events that are not as the tracking plan says. */
export function SchemaSettings({ source }: { readonly source: string }) {
  const { name } = useWorkspace();
  const key = ['sources', source, 'schema'];
  const config = useRead(key, (client, signal) =>
    client.schemaConfigs.get(`${name}/sources/${source}/schema-config`, { signal }),
  );
  const change = useChange(
    (client, changes: SchemaConfigChanges) =>
      client.schemaConfigs.update(`${name}/sources/${source}/schema-config`, changes),
    [key],
  );
  return (
    <Card title="Schema settings" note="They hold from the next event on. Without a plan they change nothing.">
      <Loaded query={config}>
        {(data) => <Settings config={data} isBusy={change.isPending} onChange={change.mutate} />}
      </Loaded>
      {change.error !== null && <Failure error={change.error} />}
    </Card>
  );
}

interface SettingsProps {
  readonly config: SchemaConfig;
  readonly isBusy: boolean;
  readonly onChange: (changes: SchemaConfigChanges) => void;
}

function Settings({ config, isBusy, onChange }: SettingsProps) {
  const { canWrite } = useWorkspace();
  return (
    <ul className="keys stack-tight">
      {SWITCHES.map(([field, title, note]) => (
        <li key={field} className="row-between whole">
          <div>
            {title}
            <div className="muted small">{note}</div>
          </div>
          <Switch
            label={title}
            checked={config[field]}
            disabled={!canWrite || isBusy}
            onChange={(allowed) => onChange({ [field]: allowed })}
          />
        </li>
      ))}
      {CHOICES.map(([field, title, values]) => (
        <li key={field} className="row-between">
          {title}
          <select
            className="select narrow"
            aria-label={title}
            value={config[field]}
            disabled={!canWrite || isBusy}
            onChange={(event) => onChange({ [field]: event.currentTarget.value })}
          >
            {values.map((value) => (
              <option key={value} value={value}>
                {EFFECTS[value]}
              </option>
            ))}
          </select>
        </li>
      ))}
    </ul>
  );
}
