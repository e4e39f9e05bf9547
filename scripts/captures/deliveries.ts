/** What a webhook got. */
export type Delivered = Readonly<Record<string, unknown>>;

/**
 * Deliveries as they are compared: by messageId, and with the time of their arrival taken out of them. A `timestamp` that
 * hangs on it is written as its distance to `receivedAt`, which the clock of the sender alone decides (D-44).
 */
export function deliveriesText(delivered: readonly Delivered[]): string {
  const bodies = delivered.map(withoutArrival);
  const sorted = bodies.toSorted((a, b) => textOf(a).localeCompare(textOf(b)));
  return `${JSON.stringify(sorted, null, 2)}\n`;
}

function withoutArrival(body: Delivered): Delivered {
  const [timestamp, receivedAt] = [Date.parse(String(body['timestamp'])), Date.parse(String(body['receivedAt']))];
  const messageId = String(body['messageId']);
  // Without `sentAt` there is no correction, and the sender's own time stands.
  const isOwn = body['sentAt'] === undefined && body['originalTimestamp'] !== undefined;
  return {
    ...body,
    messageId: messageId.startsWith('api-') ? 'made by the router' : messageId,
    timestamp: isOwn ? body['timestamp'] : `receivedAt ${timestamp - receivedAt} ms`,
    receivedAt: 'when it arrived',
  };
}

function textOf(body: Delivered): string {
  return JSON.stringify([body['messageId'], body['type'], body['userId']]);
}
