import { useState } from 'react';
import { Button } from '../../src/ui/button.tsx';
import { Card } from '../../src/ui/card.tsx';
import { CopyButton } from '../../src/ui/copy.tsx';
import type { Request } from './control.ts';
import { indented, plain, sizeText } from './plain-text.ts';

/** The bytes that came: as text where they are one. */
export function BodyCard({ request }: { readonly request: Request }) {
  const [isRaw, setRaw] = useState(false);
  const { body, bodyBase64, isCut = false, bytes } = request;
  const text = body ?? bodyBase64 ?? '';
  const readable = isCut || body === undefined ? undefined : indented(body);
  const shown = isRaw || readable === undefined ? text : readable;
  const actions = (
    <span className="row">
      {readable !== undefined && readable !== text && (
        <Button size="small" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          {isRaw ? 'Indented' : 'As it came'}
        </Button>
      )}
      {bytes > 0 && <CopyButton text={text} what="the body" />}
    </span>
  );
  return (
    <Card title="Body" note={noteOf(request)} action={actions} flush>
      {bytes === 0 ? (
        <p className="muted empty-line">It has none.</p>
      ) : (
        <pre className="body" tabIndex={0} aria-label="Body">
          {plain(shown)}
        </pre>
      )}
      {isCut && <p className="muted empty-line">Only the beginning of {sizeText(bytes)}; the archive has all of it.</p>}
    </Card>
  );
}

function noteOf({ headers, bodyBase64 }: Request): string {
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value;
  const said = type === undefined ? 'without a Content-Type' : plain(type);
  return bodyBase64 === undefined ? said : `${said}; no UTF-8, shown in base64`;
}
