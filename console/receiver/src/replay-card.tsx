import { type FormEvent, useState } from 'react';
import { Button } from '../../src/ui/button.tsx';
import { Card } from '../../src/ui/card.tsx';
import { Field } from '../../src/ui/field.tsx';
import { Badge } from '../../src/ui/notice.tsx';
import { durationText } from '../../src/ui/time.tsx';
import type { Control, Replayed } from './control.ts';

interface ReplayCardProps {
  readonly control: Control;
  readonly number: number;
  readonly canSign: boolean;
}

const KEY = 'waybill.receiver.replay-to';
const MAX_LISTED = 5;

/** Sends a request to an endpoint of one's own, from the machine that the receiver runs on. */
export function ReplayCard({ control, number, canSign }: ReplayCardProps) {
  const { to, setTo, send, isSending, failure, replayed } = useReplays(control, number);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void send();
  };
  const hint = canSign
    ? 'The same bytes and headers, with a new signature of now.'
    : 'The same bytes and headers, as they came: the receiver has no secret that signs.';
  return (
    <Card title="Replay">
      <form onSubmit={(event) => submit(event)}>
        <Field label="Your endpoint" hint={hint} error={failure}>
          {(described) => (
            <span className="row tight">
              <input
                {...described}
                className="input mono"
                inputMode="url"
                autoComplete="off"
                spellCheck={false}
                placeholder="http://127.0.0.1:3000/hooks"
                value={to}
                onChange={(event) => setTo(event.currentTarget.value)}
              />
              <Button type="submit" look="primary" icon="send" disabled={isSending || to.trim() === ''}>
                Send
              </Button>
            </span>
          )}
        </Field>
      </form>
      <Results replayed={replayed} />
    </Card>
  );
}

/** The latest first. */
function Results({ replayed }: { readonly replayed: readonly Replayed[] }) {
  return (
    <ul className="replays" aria-live="polite" aria-label="Replays">
      {replayed.map((result, index) => (
        <li key={replayed.length - index} className="row">
          <Badge tone={isTaken(result) ? 'ok' : 'bad'}>{result.status ?? 'No answer'}</Badge>
          <span className="small wrap">{textOf(result)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Where to, and what became of it; the address is remembered for the next request. */
function useReplays(control: Control, number: number) {
  const [to, setTo] = useState(() => localStorage.getItem(KEY) ?? '');
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [replayed, setReplayed] = useState<readonly Replayed[]>([]);
  const send = async (): Promise<void> => {
    setSending(true);
    try {
      const result = await control.replay(number, to.trim());
      localStorage.setItem(KEY, to.trim());
      setReplayed((before) => [result, ...before].slice(0, MAX_LISTED));
      setFailure(undefined);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
    setSending(false);
  };
  return { to, setTo, send, isSending, failure, replayed };
}

function isTaken({ status = 0 }: Replayed): boolean {
  return status >= 200 && status < 300;
}

function textOf({ to, failure, ms, isSigned }: Replayed): string {
  const how = isSigned ? 'signed anew' : 'as it came';
  const what = failure === undefined ? `after ${durationText(ms)}` : `${failure}, after ${durationText(ms)}`;
  return `${to}: ${what}, ${how}`;
}
