import { BODY_HASH, isForm, TWILIO as FORM } from '../../client/webhooks/senders/twilio.ts';
import { hashOf } from './hmac-form.ts';
import { hmacScheme } from './hmac-scheme.ts';

export const TWILIO = hmacScheme({
  ...FORM,
  name: 'twilio',
  title: 'Twilio',
  places: { id: [{ header: 'I-Twilio-Idempotency-Token' }], withoutId: 'same body', type: [] },
  write: (digest) => ({ 'X-Twilio-Signature': digest }),
  contradicts: `${BODY_HASH} of the URL is missing, or is not the SHA-256 of the body in hex`,
  address(unsigned) {
    if (isForm(unsigned.contentType)) return unsigned.url;
    const url = new URL(unsigned.url);
    url.searchParams.set(BODY_HASH, hashOf(unsigned.body));
    return url.href;
  },
});
