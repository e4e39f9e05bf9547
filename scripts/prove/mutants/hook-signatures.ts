import type { Mutant } from '../mutant.ts';

/** Of signatures beyond the specification, and of the rotation of secrets. */
export const HOOK_SIGNATURES: readonly Mutant[] = [
  {
    rule: 'HOOK-22',
    file: 'server/delivery/signatures.ts',
    find: '`${id}.${timestamp}.`',
    replace: '`${timestamp}.${id}.`',
    breaks: 'what is signed is not what the standard says',
  },
  {
    rule: 'HOOK-22',
    file: 'server/delivery/signatures.ts',
    find: 'const id = webhookIdOf(request.messageId);',
    replace: 'const id = webhookIdOf(`${request.messageId}-${request.at}`);',
    breaks: 'each attempt has another id, so a repeat is not recognizable',
  },
  {
    rule: 'HOOK-22',
    file: 'server/delivery/signatures.ts',
    find: 'if (/^[A-Za-z0-9_-]{1,128}$/.test(messageId)) return messageId;',
    replace: 'return messageId;',
    breaks: 'an id that a sender chose shifts what is signed',
  },
  {
    rule: 'HOOK-22',
    file: 'server/model/shared-secret.ts',
    find: 'key: bytes ?? Buffer',
    replace: 'key: Buffer',
    breaks: 'a secret of the form whsec_ is not decoded',
  },
  {
    rule: 'HOOK-22',
    file: 'server/destinations/redacted-settings.ts',
    find: "if (key === 'signature') return value;",
    replace: "if (key === 'signature' || key === 'sharedSecret') return value;",
    breaks: 'a token that may only read sees the secret',
  },
  {
    rule: 'HOOK-23',
    file: 'server/delivery/signatures.ts',
    find: 'request.at < previous.until ?',
    replace: 'request.at <= previous.until ?',
    breaks: 'the old secret signs at the end of the overlap',
  },
  {
    rule: 'HOOK-23',
    file: 'server/delivery/signatures.ts',
    find: "{ 'X-Signature': signatureOf(old, body), 'X-Signature-Next': signatureOf(secret, body) };",
    replace: "{ 'X-Signature': signatureOf(secret, body), 'X-Signature-Next': signatureOf(old, body) };",
    breaks: 'a receiver that knows only the old secret refuses during the overlap',
  },
  {
    rule: 'HOOK-23',
    file: 'server/delivery/signatures.ts',
    find: 'old === undefined ? [secret] : [old, secret]',
    replace: '[secret]',
    breaks: 'with Standard Webhooks the old secret does not verify during the overlap',
  },
  {
    rule: 'HOOK-23',
    file: 'server/resources/secret-rotation.ts',
    find: 'if (signingOf(changed).sharedSecret !== signingOf(current).sharedSecret) throw underWay(current);',
    replace: '',
    breaks: 'an update takes a secret away from receivers that rely on the overlap',
  },
  {
    rule: 'HOOK-23',
    file: 'server/resources/destinations.ts',
    find: 'const { rotation: _secret, ...destination } = stored;',
    replace: 'const destination = stored;',
    breaks: 'after its end a rotation is still shown, with the old secret',
  },
];
