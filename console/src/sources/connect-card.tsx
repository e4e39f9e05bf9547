import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Code } from '../ui/copy.tsx';
import { Failure } from '../ui/failure.tsx';
import { slugOf } from '../ui/names.ts';
import { Notice } from '../ui/notice.tsx';
import type { Source } from './queries.ts';
import { SNIPPETS, snippetFor } from './snippets.ts';

/** How events get here. */
export function ConnectCard({ source }: { readonly source: Source }) {
  const [key = ''] = source.write_keys;
  const [title, setTitle] = useState(() => snippetFor(slugOf(source.catalog_name))?.title);
  const snippet = SNIPPETS.find((one) => one.title === title);
  const picker = (
    <select
      className="select sdk"
      aria-label="SDK"
      value={title}
      onChange={(event) => setTitle(event.currentTarget.value)}
    >
      {SNIPPETS.map((one) => (
        <option key={one.title}>{one.title}</option>
      ))}
    </select>
  );
  return (
    <Card title="Send events" action={picker}>
      <div className="stack-tight">
        <Code text={snippet?.code(key, location.origin) ?? ''} what="Snippet" />
        {key !== '[redacted]' && <TestEvent source={source} writeKey={key} />}
      </div>
    </Card>
  );
}

/** Sends what an SDK would. */
function TestEvent({ source, writeKey }: { readonly source: Source; readonly writeKey: string }) {
  const { name, canWrite } = useWorkspace();
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: () => sendTestEvent(writeKey),
    onSuccess: () => queries.invalidateQueries({ queryKey: [name, 'sources', slugOf(source.name)] }),
  });
  if (!canWrite) return null;
  return (
    <>
      <div className="row">
        <Button icon="send" disabled={send.isPending} onClick={() => send.mutate()}>
          Send a test event
        </Button>
        <span className="muted small">A track call from this browser, named “Test event”.</span>
      </div>
      {send.isSuccess && <Notice tone="ok">The router accepted the event: it is on disk.</Notice>}
      {send.error !== null && <Failure error={send.error} />}
    </>
  );
}

async function sendTestEvent(writeKey: string): Promise<void> {
  const response = await fetch('/v1/track', {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${writeKey}:`)}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ userId: 'waybill-console', event: 'Test event', properties: { sentFrom: 'console' } }),
  });
  if (!response.ok) throw new Error(`The router answered ${response.status}: ${await response.text()}`);
}
