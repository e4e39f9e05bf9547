/**
 * The physical limit of the Config API on this machine: Koa, which answers a GET with a text that it was given, and a PATCH
 * once it has written and synced as many bytes as a workspace has, in place of the file before. It checks nothing and knows
 * nobody. Run as a process of its own, with the file; it is told the text and the bytes.
 */
import { open, rename } from 'node:fs/promises';
import Koa from 'koa';

/** What it is to answer, and how much to write. */
export interface BareAnswer {
  readonly text: string;
  readonly bytes: number;
}

const [file = ''] = process.argv.slice(2);
let answer: BareAnswer = { text: '', bytes: 0 };

const app = new Koa();
app.use(async (ctx) => {
  if (ctx.method === 'PATCH') {
    for await (const piece of ctx.req) void piece;
    await write();
  }
  ctx.type = 'json';
  ctx.body = answer.text;
});
const server = app.listen(0, '127.0.0.1', () => process.send?.({ address: server.address() }));
process.on('disconnect', () => process.exit(0));
process.on('message', (told: BareAnswer) => {
  answer = told;
  process.send?.({ told: true });
});

async function write(): Promise<void> {
  const draft = await open(`${file}.draft`, 'w');
  await draft.write(Buffer.alloc(answer.bytes, 'x'));
  await draft.sync();
  await draft.close();
  await rename(`${file}.draft`, file);
}
