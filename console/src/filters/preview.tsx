import { useMutation } from '@tanstack/react-query';
import type { NewResource } from '@waybill/client/config';
import { useState } from 'react';
import { useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { Field } from '../ui/field.tsx';
import { readEvent } from '../ui/json-draft.tsx';
import { Notice } from '../ui/notice.tsx';

const EXAMPLE = '{ "type": "track", "userId": "ada", "event": "Test event", "properties": { "total": 42 } }';

/** What the filter would make of an event; nothing is stored or sent. */
export function Preview({ filter }: { readonly filter: NewResource<'filters'> }) {
  const { client } = useWorkspace();
  const [text, setText] = useState(EXAMPLE);
  const preview = useMutation({ mutationFn: async () => client.filters.preview(filter, readEvent(text)) });
  return (
    <div className="stack-tight">
      <Field label="Try it on an event">
        {(described) => (
          <textarea
            {...described}
            className="input"
            rows={3}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      <div>
        <Button size="small" disabled={preview.isPending} onClick={() => preview.mutate()}>
          Try
        </Button>
      </div>
      {preview.error !== null && <Failure error={preview.error} />}
      {preview.data?.dropped === true && <Notice tone="warn">This event would not be sent.</Notice>}
      {preview.data?.output !== undefined && (
        <div className="code">
          <pre tabIndex={0} aria-label="Event as it would be sent">
            {JSON.stringify(JSON.parse(preview.data.output), undefined, 2)}
          </pre>
        </div>
      )}
    </div>
  );
}
