/** Lasts until the endpoint is closed; a sender with a deadline gives up on it before. */
export async function silence(closed: AbortSignal): Promise<void> {
  if (closed.aborted) return;
  await new Promise((resolve) => {
    closed.addEventListener('abort', resolve, { once: true });
  });
}
