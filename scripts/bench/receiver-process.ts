import { answerOf, startChild, urlOf } from './child.ts';

/** The fast receiver in a process of its own. */
export interface ReceiverProcess extends Disposable {
  readonly url: string;
  /** How many requests it has answered. */
  count(): Promise<number>;
}

export async function startReceiverProcess(): Promise<ReceiverProcess> {
  const child = startChild('./fast-receiver.ts');
  const url = await urlOf(child);
  return {
    url: `${url}/hook`,
    count: async () => {
      const answer = answerOf<{ count: number }>(child);
      child.send('count');
      return (await answer).count;
    },
    [Symbol.dispose]: () => child.disconnect(),
  };
}
