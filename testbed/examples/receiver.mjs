import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const SECRET = 's3cret';
const handled = new Map();

async function answer(request, response) {
  const url = new URL(request.url, 'http://x');
  // For --observer: how often an event was handled. Leave it out in production.
  if (request.method === 'GET') {
    return response.end(JSON.stringify({ handled: handled.get(url.searchParams.get('messageId')) ?? 0 }));
  }
  const chunks = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return; // The sender hung up in the middle: there is nobody to answer.
  }
  const body = Buffer.concat(chunks);
  response.writeHead(statusFor(body, request.headers)).end();
}

createServer((request, response) => void answer(request, response)).listen(
  Number(process.env.PORT ?? 3000),
  '127.0.0.1',
);

function statusFor(body, headers) {
  const expected = Buffer.from(createHmac('sha1', SECRET).update(body).digest('hex'));
  // The second one comes while the secret is rotated.
  const seen = [headers['x-signature'], headers['x-signature-next']].map((text = '') => Buffer.from(text));
  if (!seen.some((one) => one.length === expected.length && timingSafeEqual(one, expected))) return 401;
  const event = parse(body);
  if (typeof event?.messageId !== 'string') return 400;
  // Deliveries are at least once: a repeat is accepted, and handled no second time.
  if (!handled.has(event.messageId)) handled.set(event.messageId, 1);
  return 200;
}

function parse(body) {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
