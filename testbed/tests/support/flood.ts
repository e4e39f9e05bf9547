/** A process of its own: many events on their way through a receiver, without its sockets. */
import { BEGINNING, play } from '../../fault-script/player.ts';
import { toScript } from '../../fault-script/script.ts';
import { Journal } from '../../receiver/journal.ts';
import { News } from '../../receiver/news.ts';
import { Order, Recorder } from '../../receiver/recorder.ts';
import { systemClock } from '../../receiver/system-clock.ts';
import { schemeOf } from '../../schemes/schemes.ts';

const EVENTS = 100_000;
const [, , given = ''] = process.argv;
const keep = given === '' ? undefined : Number(given);
const news = new News(new Journal(systemClock, keep));
const recorder = new Recorder({ scheme: schemeOf('waybill') }, new Order(), keep);
const { turn: played } = play(toScript('200'), BEGINNING, {});
const turn = { ...played, script: toScript('200') };
for (let count = 0; count < EVENTS; count += 1) {
  const messageId = `${count}`.padEnd(1_000, '-');
  const body = Buffer.from(JSON.stringify({ type: 'track', messageId }));
  const arrival = { at: count, method: 'POST', path: '/', headers: [], body };
  await recorder.record(
    arrival,
    () => turn,
    (event) => news.tell(event),
  );
}
