import type { Colors } from './colors.ts';
import type { SignatureVerdict } from '../receiver/signature-verdict.ts';
import { fitted, printable } from './text-width.ts';

export function signatureText(verdict: SignatureVerdict, width: number, colors: Colors): string {
  switch (verdict.verdict) {
    case 'valid':
      return colors.green(fitted('✓ valid', width));
    case 'invalid':
      return colors.bold(colors.red(fitted('✗ INVALID', width)));
    case 'missing':
      return colors.bold(colors.red(fitted('✗ MISSING', width)));
    case 'not expected':
      return colors.dim(fitted(verdict.signed ? '? signed' : '– unsigned', width));
  }
}

/** What there is to say about a signature that is not as it should be, a line each. */
export function signatureNotes(verdict: SignatureVerdict): readonly string[] {
  switch (verdict.verdict) {
    case 'invalid':
      return [
        `${verdict.header}: expected ${verdict.expected}…, got ${verdict.seen === '' ? 'nothing' : `${printable(verdict.seen)}…`}`,
        `doctor: ${verdict.diagnosis}`,
      ];
    case 'missing':
      return [
        `${verdict.header}: expected one, because --secret is given`,
        ...(verdict.diagnosis === undefined ? [] : [`doctor: ${verdict.diagnosis}`]),
      ];
    case 'valid':
    case 'not expected':
      return [];
  }
}
