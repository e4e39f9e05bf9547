import { Badge, Notice, type Tone } from '../../src/ui/notice.tsx';
import type { Signature } from './control.ts';
import { plain } from './plain-text.ts';

/** The verdict in a word. */
export function VerdictBadge({ signature }: { readonly signature: Signature }) {
  const [tone, word] = wordOf(signature);
  return <Badge tone={tone}>{word}</Badge>;
}

/** The verdict, and why. */
export function Verdict({ signature }: { readonly signature: Signature }) {
  const [tone] = wordOf(signature);
  const diagnosis = signature.diagnosis ?? '';
  return (
    <Notice tone={tone}>
      <strong>{titleOf(signature)}</strong>
      {diagnosis !== '' && <p className="verdict-why">{sentence(plain(diagnosis))}</p>}
      {signature.expected !== undefined && signature.seen !== undefined && (
        <p className="small">
          Expected <code>{digest(signature.expected)}</code>, got <code>{digest(signature.seen)}</code>
        </p>
      )}
    </Notice>
  );
}

function wordOf({ verdict, signed = false }: Signature): readonly [Tone, string] {
  switch (verdict) {
    case 'valid':
      return ['ok', 'Valid'];
    case 'invalid':
      return ['bad', 'Invalid'];
    case 'missing':
      return ['warn', 'Missing'];
    case 'not expected':
      return ['idle', signed ? 'Not checked' : 'Unsigned'];
  }
}

function titleOf({ verdict, header = '', signed = false }: Signature): string {
  switch (verdict) {
    case 'valid':
      return 'The signature is valid.';
    case 'invalid':
      return `The signature in ${header} is invalid.`;
    case 'missing':
      return `No signature came: ${header} is missing.`;
    case 'not expected':
      return signed
        ? 'It is signed, and not checked: start the receiver with --secret.'
        : 'It is not signed, and the receiver has no secret: nothing was expected.';
  }
}

/** The beginning of a digest: enough to compare by eye. */
function digest(text: string): string {
  return text === '' ? 'nothing' : `${plain(text)}…`;
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
