import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import type { Header, Hook } from './settings.ts';

const MAX_HOOKS = 5;

interface HooksEditorProps {
  readonly hooks: readonly Hook[];
  /** What the API said of the URLs. */
  readonly error: string | undefined;
  readonly onChange: (hooks: readonly Hook[]) => void;
}

/** The webhooks of a destination: each event is sent to all of them, until one takes it. */
export function HooksEditor({ hooks, error, onChange }: HooksEditorProps) {
  return (
    <div className="stack">
      {hooks.map((hook, index) => (
        <HookEditor
          // The place in the list is what a webhook is known by while it is edited.
          key={index}
          hook={hook}
          number={index + 1}
          error={index === 0 ? error : undefined}
          onChange={(changed) =>
            onChange(changed === undefined ? hooks.toSpliced(index, 1) : hooks.with(index, changed))
          }
          canRemove={hooks.length > 1}
        />
      ))}
      {hooks.length < MAX_HOOKS && (
        <div>
          <Button size="small" icon="plus" onClick={() => onChange([...hooks, { url: '', headers: [] }])}>
            Add another URL
          </Button>
        </div>
      )}
    </div>
  );
}

interface HookEditorProps {
  readonly hook: Hook;
  readonly number: number;
  readonly error: string | undefined;
  readonly canRemove: boolean;
  readonly onChange: (hook: Hook | undefined) => void;
}

function HookEditor({ hook, number, error, canRemove, onChange }: HookEditorProps) {
  return (
    <div className="stack-tight">
      <Field label={number === 1 ? 'URL' : `URL ${number}`} error={error}>
        {(described) => (
          <div className="row tight">
            <input
              {...described}
              className="input mono grow"
              type="url"
              required
              placeholder="https://example.com/events"
              value={hook.url}
              onChange={(event) => onChange({ ...hook, url: event.currentTarget.value })}
            />
            {canRemove && (
              <Button
                look="quiet"
                icon="trash"
                aria-label={`Remove URL ${number}`}
                onClick={() => onChange(undefined)}
              />
            )}
          </div>
        )}
      </Field>
      <Headers headers={hook.headers} number={number} onChange={(headers) => onChange({ ...hook, headers })} />
    </div>
  );
}

interface HeadersProps {
  readonly headers: readonly Header[];
  readonly number: number;
  readonly onChange: (headers: readonly Header[]) => void;
}

function Headers({ headers, number, onChange }: HeadersProps) {
  const change = (index: number, header: Partial<Header>): void =>
    onChange(headers.map((one, at) => (at === index ? { ...one, ...header } : one)));
  return (
    <>
      {headers.map(({ key, value }, index) => (
        <div key={index} className="row tight">
          <input
            className="input mono header-name"
            aria-label={`Header ${index + 1} of URL ${number}: name`}
            placeholder="X-Team"
            required={value !== ''}
            value={key}
            onChange={(event) => change(index, { key: event.currentTarget.value })}
          />
          <input
            className="input mono grow"
            aria-label={`Header ${index + 1} of URL ${number}: value`}
            placeholder="web"
            value={value}
            onChange={(event) => change(index, { value: event.currentTarget.value })}
          />
          <Button
            look="quiet"
            icon="trash"
            aria-label={`Remove header ${index + 1} of URL ${number}`}
            onClick={() => onChange(headers.toSpliced(index, 1))}
          />
        </div>
      ))}
      <div>
        <Button size="small" look="quiet" icon="plus" onClick={() => onChange([...headers, { key: '', value: '' }])}>
          Add a header
        </Button>
      </div>
    </>
  );
}
