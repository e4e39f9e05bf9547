import { Card } from '../../src/ui/card.tsx';
import { Code } from '../../src/ui/copy.tsx';
import { Empty } from '../../src/ui/empty.tsx';
import type { Receiver } from './control.ts';

interface FirstRequestProps {
  readonly receiver: Receiver;
  readonly isFirst: boolean;
}

/** What to do while nothing is selected. */
export function FirstRequest({ receiver, isFirst }: FirstRequestProps) {
  if (!isFirst) {
    return (
      <Card>
        <Empty icon="deliveries" title="Choose a request">
          <span className="keys-line">
            <kbd className="kbd">j</kbd> <kbd className="kbd">k</kbd> go through them, <kbd className="kbd">r</kbd>{' '}
            replays, <kbd className="kbd">/</kbd> filters, <kbd className="kbd">Esc</kbd> closes.
          </span>
        </Empty>
      </Card>
    );
  }
  return (
    <Card title="Send the first request" note="Give your sender the address of the endpoint, or try it from a terminal">
      <Code text={commandFor(receiver)} what="Terminal" />
    </Card>
  );
}

function commandFor({ url, ca, endpoints }: Receiver): string {
  const trust = ca === undefined ? '' : ' --insecure';
  const body = '{"type":"track","event":"Order Completed","userId":"ada","messageId":"m-1"}';
  return `curl${trust} ${url}${endpoints[0]?.path ?? '/'} \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
}
