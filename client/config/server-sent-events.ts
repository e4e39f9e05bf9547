/** A part of a stream, as its reader gives it. */
export interface Read {
  readonly done: boolean;
  readonly value?: string | undefined;
}

/** The end of a line may be told in three ways, and the stream cut anywhere. */
const LINE = /\r\n|\n|\r(?=[^])/;

/** The data of each message of a stream of server-sent events; other fields and comments are passed over. */
export async function* dataOf(read: () => Promise<Read>): AsyncGenerator<string> {
  let rest = '';
  let data: string[] = [];
  for (;;) {
    const { done, value = '' } = await read();
    if (done) return;
    const lines = (rest + value).split(LINE);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''));
      if (line !== '' || data.length === 0) continue;
      yield data.join('\n');
      data = [];
    }
  }
}
