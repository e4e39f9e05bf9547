import { failed, type Judgment, passed } from '../../certify/scenario.ts';
import { headerOf } from '../../receiver/received.ts';
import { spanText } from '../../report/time-text.ts';
import { notJudged, type SenderScenario } from '../scenario.ts';
import { isTaken, type Sent, type TriedEvent, waitsOf } from '../sent.ts';
import type { Trial } from '../trial.ts';
import { SCHEDULE_ID } from './retries.ts';
import { isOfTls } from './together.ts';

/** Waits that grow by less than this are not meant to. */
const GROWS = 1.3;
const SECOND = 1_000;

const firstEvent: SenderScenario = {
  id: 'first-event',
  title: 'An event arrives',
  expects: 'The event that was asked for comes to the address.',
  async run(trial) {
    const { event, first } = await trial.askAndMeet(() => '200');
    if (first !== undefined) return passed(`it came after ${spanText(Math.max(0, first.at - event.askedAt))}`);
    return failed(
      `nothing came within ${spanText(trial.times.arrivalMs)}; check that the trigger makes an event, and that it goes to ${trial.stand.url}`,
    );
  },
};

export const FIRST_SCENARIOS: readonly SenderScenario[] = [firstEvent];

/** What is judged in the end, by all that came. */
export const REQUEST_SCENARIOS: readonly SenderScenario[] = [
  ofAll('method', 'Events come by POST', 'What changes something at the other end is a POST.', (sent) => {
    const wrong = sent.find(({ method }) => method !== 'POST');
    return wrong === undefined ? passed('always') : failed(`a ${wrong.method} came; send POST`);
  }),
  ofAll(
    'content-type',
    'The body is what its Content-Type says',
    'Frameworks parse a body by its Content-Type, before any code sees it.',
    (sent) => sent.map(faultOfContent).find((fault) => fault !== undefined) ?? passed('always'),
  ),
  ofAll('user-agent', 'The sender says who it is', 'Operators find out by User-Agent what sends to them.', (sent) => {
    const named = headerOf(sent[0] ?? { headers: [] }, 'user-agent');
    return named === undefined || named === ''
      ? { verdict: 'advice', words: 'there is no User-Agent; name the product in it' }
      : passed(named.slice(0, 60));
  }),
];

export const REPEAT_SCENARIOS: readonly SenderScenario[] = [
  {
    id: 'id-distinct',
    title: 'Each event has an id of its own',
    expects: 'Receivers know repeats by the id: two events with one id are handled as one.',
    run: ({ desk }) => {
      const ids = desk.events.flatMap(({ attempts: [first] }) => first?.id ?? []);
      if (ids.length === 0) return noId(desk.sent);
      if (new Set(ids).size < ids.length) return failed('two events came with the same id; give each its own');
      return ids.length < 2 ? notJudged('one event alone came with an id') : passed(`${ids.length} ids, all different`);
    },
  },
  {
    id: 'id-stable',
    title: 'A retry has the id of its event',
    expects: 'Delivery is at least once: only the id tells a receiver that it has the event already.',
    run: (trial) => {
      const retried = retriedEvents(trial);
      if (retried.length === 0) return strayOr(trial, 'no retry was seen');
      if (retried.every(({ attempts }) => attempts.every(({ id }) => id === undefined))) return noId(trial.desk.sent);
      const changed = retried.some(({ attempts }) => attempts.some(({ id }) => id !== attempts[0]?.id));
      return changed
        ? failed('a retry came with another id; keep the id of the event')
        : passed(`on all of ${retried.length} events`);
    },
  },
  {
    id: 'body-stable',
    title: 'A retry has the body of its event',
    expects: 'A repeat that differs may be handled as another event; what is new about it belongs in a header.',
    run: (trial) => {
      const retried = retriedEvents(trial);
      if (retried.length === 0) return strayOr(trial, 'no retry was seen');
      const changed = retried.some(({ attempts: [first, ...later] }) =>
        later.some(({ body }) => Buffer.compare(body, first?.body ?? body) !== 0),
      );
      if (!changed) return passed(`the same bytes, on all of ${retried.length} events`);
      const words = 'the body of a retry differs from the first one; send the same bytes';
      return retried.every(({ attempts: [first] }) => first?.id !== undefined)
        ? { verdict: 'advice', words }
        : failed(words);
    },
  },
  {
    id: 'one-at-a-time',
    title: 'A retry waits for the end of the attempt before',
    expects: 'Two attempts of one event at once are handled twice by receivers that look for repeats first.',
    run: (trial) => {
      const retried = retriedEvents(trial);
      if (retried.length === 0) return notJudged('no retry was seen');
      const overlap = retried.find(({ attempts }) =>
        attempts.slice(1).some(({ at }, index) => (attempts[index]?.end?.at ?? at + 1) > at),
      );
      if (overlap === undefined) return passed('always');
      return failed(`a retry came while the attempt before was under way (in ${overlap.scenario}); end that first`);
    },
  },
  {
    id: 'no-repeats',
    title: 'What was answered 2xx does not come again',
    expects: 'A success ends the event; repeats after it are load without use.',
    run: ({ desk }) => {
      const taken = desk.events.filter(({ attempts }) => attempts.some(isTaken));
      if (taken.length === 0) return notJudged('no event was answered 2xx');
      const again = taken.find(({ attempts }) => attempts.findIndex(isTaken) < attempts.length - 1);
      if (again === undefined) return passed(`none of ${taken.length} events`);
      return failed(`an event came again after its 2xx (in ${again.scenario}); stop at the first success`);
    },
  },
  {
    id: 'backoff',
    title: 'Waits between attempts grow',
    expects: 'An endpoint that is down for long must not get the same load all the time.',
    run: (trial) => {
      const waits = waitsOf(trial.eventsOf(SCHEDULE_ID)[0]?.attempts ?? []);
      const [first = 0] = waits;
      if (waits.length < 3) return notJudged(`${waits.length} retries were seen; give a larger --budget`);
      const words = `waits of ${waits.map(spanText).join(', ')}`;
      if (Math.max(...waits.slice(1)) > first * GROWS) return passed(words);
      if (Math.max(...waits) < SECOND) return failed(`${words}; wait longer before each further attempt`);
      return { verdict: 'advice', words: `${words}; wait longer before each further attempt` };
    },
  },
];

function ofAll(id: string, title: string, expects: string, judge: (sent: readonly Sent[]) => Judgment): SenderScenario {
  return {
    id,
    title,
    expects,
    run: ({ desk }) => {
      const sent = desk.sent.filter(({ isElsewhere }) => !isElsewhere);
      return sent.length === 0 ? notJudged('nothing came') : judge(sent);
    },
  };
}

function faultOfContent(sent: Sent): Judgment | undefined {
  const type = headerOf(sent, 'content-type');
  if (sent.body.length === 0) return undefined;
  if (type === undefined) return { verdict: 'advice', words: 'a request has no Content-Type; say what its body is' };
  if (!/[/+]json\b/i.test(type)) return undefined;
  return isJson(sent.body) ? undefined : failed('a body is no JSON, though its Content-Type says so; send UTF-8 JSON');
}

function isJson(body: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return true;
  } catch {
    return false;
  }
}

function retriedEvents({ desk }: Trial): readonly TriedEvent[] {
  return desk.events.filter(({ attempts, scenario }) => attempts.length > 1 && !isOfTls(scenario));
}

function noId(sent: readonly Sent[]): Judgment {
  return notJudged(
    sent.length === 0 ? 'nothing came' : 'no id is known; name its header or field of the body with --id-field',
  );
}

/** What cannot be told from another event may be a retry with another id and body. */
function strayOr({ desk }: Trial, why: string): Judgment {
  if (desk.strays.length === 0) return notJudged(why);
  return notJudged(
    `${desk.strays.length} requests came of no event that was asked for; write {mark} into the trigger to tell retries from other events`,
  );
}
