/** Sends events as one batch; answers once the router has answered, whatever it says. Rejects when it does not. */
export async function postBatch(
  url: string,
  writeKey: string,
  ids: readonly string[],
  { signal, userId = 'u1' }: { readonly signal?: AbortSignal; readonly userId?: string } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const batch = ids.map((messageId) => ({ type: 'track', userId, event: 'Order Completed', messageId }));
  const body = JSON.stringify({ writeKey, batch });
  const answer = await fetch(`${url}/v1/batch`, { method: 'POST', body, ...(signal === undefined ? {} : { signal }) });
  // With the status it is acknowledged, also when the rest is cut off.
  return { status: answer.status, text: await answer.text().catch(() => '') };
}
