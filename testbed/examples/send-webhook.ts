import { createHmac } from 'node:crypto';
import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** A sender of webhooks as old applications have them: node:http, three attempts, two of them retries. */
export async function sendWebhook(url: string, secret: string, event: object, pauseMs = 50): Promise<boolean> {
  const body = JSON.stringify(event);
  for (const attempt of [1, 2, 3]) {
    if (attempt > 1) await wait(pauseMs);
    const status = await post(url, body, createHmac('sha1', secret).update(body).digest('hex'));
    if (status >= 200 && status < 300) return true;
    if (status >= 400 && status < 500) return false;
  }
  return false;
}

/** The status; 0 when there was no answer. */
async function post(url: string, body: string, signature: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = { 'Content-Type': 'application/json', 'User-Agent': 'Legacy/1.0.0', 'X-Signature': signature };
    const outgoing = http.request(url, { method: 'POST', headers, timeout: 1_000 });
    outgoing.once('timeout', () => outgoing.destroy());
    outgoing.once('error', () => resolve(0));
    outgoing.once('response', (answer) => resolve(answer.resume().statusCode ?? 0));
    outgoing.end(body);
  });
}
