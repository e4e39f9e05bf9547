import { fromBase64, fromHex } from '../../client/webhooks/digest-text.ts';
import { spellingsOfSecret } from '../../server/model/shared-secret.ts';

/** What secrets of Stripe and Shopify begin with: people leave it off, as it looks like a label. */
export const PREFIXES = ['whsec_', 'shpss_'];

/** Whoever knows fewer characters than this signs nothing by them, and they may be an ordinary word. */
const FEWEST = 8;

/**
 * Every text that tells a secret, the longest first: as it is given, without its prefix, and as the key that is encoded in it,
 * each as text, in hex and in base64, and as JSON and addresses write them.
 */
export function spellingsOf(secret: string): readonly string[] {
  if (secret === '') return [];
  const derived = [secret, ...barely(secret)].flatMap((text) => [
    text,
    ...encodings(Buffer.from(text)),
    ...keysIn(text),
  ]);
  const long = [...spellingsOfSecret(secret), ...derived].filter((text) => text.length >= FEWEST);
  const all = [secret, ...long].flatMap(written);
  return [...new Set(all)].toSorted((one, other) => other.length - one.length);
}

function barely(secret: string): readonly string[] {
  return PREFIXES.filter((prefix) => secret.startsWith(prefix)).map((prefix) => secret.slice(prefix.length));
}

/** Where a text is hex or base64, what it encodes may be the key. */
function keysIn(text: string): readonly string[] {
  return [fromHex(text), fromBase64(text)].flatMap((bytes) => {
    if (bytes === undefined) return [];
    const key = Buffer.from(bytes);
    const asText = key.toString('utf8');
    return [...encodings(key), ...(Buffer.from(asText).equals(key) ? [asText] : [])];
  });
}

function encodings(bytes: Buffer): readonly string[] {
  const [hex, base64] = [bytes.toString('hex'), bytes.toString('base64')];
  return [hex, hex.toUpperCase(), base64, base64.replace(/=+$/, ''), bytes.toString('base64url')];
}

/** As it stands, in JSON with and without its slashes escaped, and in an address. */
function written(text: string): readonly string[] {
  const [json, address] = [JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed())];
  const lower = address.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
  return [text, json, json.replaceAll('/', String.raw`\/`), address, lower];
}
