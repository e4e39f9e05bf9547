import type { Arrival } from '../receiver/recorder.ts';

/** A request that an interceptor caught. The case and order of its header names are lost, because Headers drop them. */
export async function arrivalIn(request: Request, at: number): Promise<Arrival> {
  const { pathname, search } = new URL(request.url);
  return {
    at,
    method: request.method,
    path: pathname + search,
    headers: [...request.headers],
    body: new Uint8Array(await request.arrayBuffer()),
  };
}
