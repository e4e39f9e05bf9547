import { useState } from 'react';
import { Button } from './button.tsx';

const COPIED_MS = 1_600;

/** `what` is for screen readers: several such buttons may stand on a page. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <Button size="small" icon={isCopied ? 'check' : 'copy'} aria-label={`Copy ${what}`} onClick={() => void copy()}>
      {isCopied ? 'Copied' : 'Copy'}
    </Button>
  );
}

/** Browsers have a clipboard only for pages over https and on this machine; elsewhere a selection does it. */
async function copyText(text: string): Promise<void> {
  if ('clipboard' in navigator) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

export function Code({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div className="code">
      <div className="code-head">
        {what}
        <CopyButton text={text} what={what} />
      </div>
      <pre tabIndex={0} aria-label={what}>
        {text}
      </pre>
    </div>
  );
}

export function Secret({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div className="secret">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </div>
  );
}
