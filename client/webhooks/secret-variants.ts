import { fromBase64, fromHex } from './digest-text.ts';
import { distinct, latin1, textVariant } from './variant.ts';
import type { Variant } from './variant.ts';

/** The secret, and what it would be after a classic mistake; `others` are secrets that were in use before. */
export function secretVariants(secret: string, others: readonly string[]): readonly Variant[] {
  const bytes = new TextEncoder().encode(secret);
  const narrow = latin1(secret);
  const decoded = [fromHex(secret), fromBase64(secret)].filter((each) => each !== undefined);
  const bare = secret.trim().replace(/^(["'])(.*)\1$/s, '$2');
  return distinct([
    { bytes },
    ...others.map((other) => textVariant('secret-old', other)),
    ...[`${secret}\n`, `${secret}\r\n`, `${secret} `, ` ${secret}`, secret.trim()].map((text) =>
      textVariant('secret-whitespace', text),
    ),
    ...[`"${secret}"`, `'${secret}'`, bare].map((text) => textVariant('secret-quoted', text)),
    ...decoded.map((each) => ({ mistake: 'secret-decoded', bytes: each }) as const),
    ...(narrow === undefined ? [] : [{ mistake: 'secret-charset', bytes: narrow } as const]),
  ]).filter((each) => each.bytes.length > 0);
}
