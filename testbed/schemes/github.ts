import { custom } from './custom.ts';

/** `X-Hub-Signature-256: sha256=<hex>` over the body; many senders beside GitHub do the same. */
export const GITHUB = custom({
  name: 'github',
  title: 'GitHub',
  header: 'X-Hub-Signature-256',
  algorithm: 'SHA-256',
  encoding: 'hex',
  prefix: 'sha256=',
  id: [{ header: 'X-GitHub-Delivery' }],
  withoutId: 'same body',
  type: [{ header: 'X-GitHub-Event' }],
});
