import { useMutation } from '@tanstack/react-query';
import { type Shape, type ShapePreview, webhooksConfig } from '@waybill/client/config';
import { useState } from 'react';
import { saveDraft } from '../session/save-draft.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { messageOf, refuses } from '../ui/errors.ts';
import { Failure } from '../ui/failure.tsx';
import { Field } from '../ui/field.tsx';
import { readEvent } from '../ui/json-draft.tsx';
import { Notice } from '../ui/notice.tsx';
import { type Destination, useDestinationChange } from './queries.ts';
import { shapeOf } from './settings.ts';

const OPERATIONS = `[
  { "op": "drop", "paths": ["context", "properties.email"] },
  { "op": "set", "path": "properties.currency", "value": "\\"EUR\\"" }
]`;
const EVENT = '{ "type": "track", "userId": "ada", "event": "Test event", "properties": { "email": "a@b.example" } }';

/** What is done with bodies before they are signed. */
export function ShapeCard({ destination }: { readonly destination: Destination }) {
  const { canWrite } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  if (!destination.deliverable) return null;
  const shape = shapeOf(destination);
  const edit = canWrite && (
    <Button size="small" onClick={() => setOpen(true)}>
      {shape.length === 0 ? 'Shape bodies' : 'Edit shape'}
    </Button>
  );
  return (
    <Card title="Shape" action={edit}>
      {shape.length === 0 ? (
        <p className="muted">
          Bodies are sent whole. A shape keeps, drops, renames and sets fields before they are signed.
        </p>
      ) : (
        <ol className="mono small wrap">
          {shape.map((operation, index) => (
            <li key={index}>{JSON.stringify(operation)}</li>
          ))}
        </ol>
      )}
      {isOpen && <EditShape destination={destination} onClose={() => setOpen(false)} />}
    </Card>
  );
}

interface EditShapeProps {
  readonly destination: Destination;
  readonly onClose: () => void;
}

/** Of the shape as it was when somebody began to edit it. */
function useSave(destination: Destination, done: () => void) {
  const [before] = useState(() => shapeOf(destination));
  const save = useDestinationChange(
    destination,
    ({ destinations }, shape: Shape) =>
      saveDraft(destinations, {
        name: destination.name,
        before,
        valueOf: shapeOf,
        changes: { config: webhooksConfig({ shape }) },
      }),
    done,
  );
  return { before, save };
}

function EditShape({ destination, onClose }: EditShapeProps) {
  const { before, save } = useSave(destination, onClose);
  const [text, setText] = useState(before.length === 0 ? OPERATIONS : JSON.stringify(before, undefined, 2));
  const { shape, fault } = readShape(text);
  const isRefused = refuses(save.error, 'config');
  const actions = (
    <Button type="submit" look="primary" disabled={save.isPending || shape === undefined}>
      Save shape
    </Button>
  );
  return (
    <Dialog
      title="Shape of bodies"
      actions={actions}
      onSubmit={() => shape !== undefined && save.mutate(shape)}
      onClose={onClose}
    >
      <div className="stack">
        <JsonText
          label="Operations, as JSON"
          hint="keep and drop have paths; rename has from and to; set has path and value, an expression. [] for whole bodies."
          error={fault ?? (isRefused ? messageOf(save.error) : undefined)}
          text={text}
          rows={10}
          onChange={setText}
        />
        <TryShape shape={shape} />
        {save.error !== null && !isRefused && <Failure error={save.error} />}
      </div>
    </Dialog>
  );
}

interface JsonTextProps {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly text: string;
  readonly rows: number;
  readonly onChange: (text: string) => void;
}

function JsonText({ label, hint, error, text, rows, onChange }: JsonTextProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(described) => (
        <textarea
          {...described}
          className="input mono small"
          rows={rows}
          spellCheck={false}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** What the operations would make of an event; nothing is stored or sent. */
function TryShape({ shape }: { readonly shape: Shape | undefined }) {
  const { client } = useWorkspace();
  const [text, setText] = useState(EVENT);
  const preview = useMutation({
    mutationFn: async (tried: Shape) => client.destinations.previewShape(tried, readEvent(text)),
  });
  return (
    <div className="stack-tight">
      <JsonText label="Try it on an event" text={text} rows={3} onChange={setText} />
      <div>
        <Button
          size="small"
          disabled={preview.isPending || shape === undefined}
          onClick={() => shape !== undefined && preview.mutate(shape)}
        >
          Try
        </Button>
      </div>
      {preview.error !== null && <Failure error={preview.error} />}
      {preview.data !== undefined && <Previewed preview={preview.data} />}
    </div>
  );
}

function Previewed({ preview: { output, undecided } }: { readonly preview: ShapePreview }) {
  return (
    <>
      {undecided && (
        <Notice tone="warn">This takes too long, or makes too large a body: it would be reduced to this.</Notice>
      )}
      <div className="code">
        <pre tabIndex={0} aria-label="Body as it would be sent">
          {JSON.stringify(JSON.parse(output), undefined, 2)}
        </pre>
      </div>
    </>
  );
}

interface ReadShape {
  readonly shape?: Shape;
  readonly fault?: string;
}

/** What the operations are worth, the API says. */
function readShape(text: string): ReadShape {
  try {
    const shape: unknown = JSON.parse(text);
    return Array.isArray(shape) ? { shape } : { fault: 'This has to be a JSON list.' };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
