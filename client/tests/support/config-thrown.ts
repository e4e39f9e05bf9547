import { ConfigApiError } from '../../config/index.ts';

/** What a call rejects with. Settled from the start, so that the test may do something else before it looks. */
export async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (thrown) {
    return thrown;
  }
  throw new Error('nothing was thrown');
}

export async function failureOf(call: Promise<unknown>): Promise<ConfigApiError> {
  const thrown = await thrownBy(call);
  if (!(thrown instanceof ConfigApiError)) throw new Error('no ConfigApiError was thrown', { cause: thrown });
  return thrown;
}
