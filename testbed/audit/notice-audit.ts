import type { components } from '../../generated/config-api.d.ts';
import { isObject } from '../../server/model/json-values.ts';
import { classOf } from '../../server/model/outcome.ts';
import { ofWaybill } from './not-judged.ts';
import { answered, attemptsOf, nameOf, type Observed, type Violation } from './observed.ts';

type NoticeName = components['schemas']['Notice']['event'];

/** What a receiver of notices is meant to have heard. */
export interface NoticeWish {
  readonly type: NoticeName;
  /** Full name of the destination that it is about; absent: of any. */
  readonly destination?: string;
  /** Full name of the audience that it is about. */
  readonly audience?: string;
  /** How many of them; default 1. */
  readonly times?: number;
}

/** A notice, however often it was sent. */
interface Heard {
  readonly name: string;
  readonly event: string;
  readonly about: string;
  /** What it says, as JSON. */
  readonly text: string;
  readonly at: number;
}

/**
 * Whether so many notices were taken, none of them said a second time under another messageId, and parked and recovered take turns
 * for each destination: whoever hears them knows how it stands.
 */
export function auditNotices(observed: readonly Observed[], wish: NoticeWish): readonly Violation[] {
  const { type, times = 1 } = wish;
  const about = wish.destination ?? wish.audience;
  const heard = attemptsOf(ofWaybill(observed, 'a notice'))
    .flatMap(heardIn)
    .toSorted((a, b) => a.at - b.at);
  const meant = heard.filter((one) => one.event === type && (about === undefined || one.about === about));
  const count = `${meant.length} of ${type}${about === undefined ? '' : ` about ${about}`} came and were accepted, and ${times} should have`;
  const twice = heard.filter((one, index) => heard.findIndex(({ text }) => text === one.text) < index);
  return [
    ...(meant.length === times ? [] : [violation(count)]),
    ...twice.map(({ name, event, about: whom }) => violation(`${name} said ${event} about ${whom} once more`)),
    ...[...Map.groupBy(heard, (one) => one.about).values()].flatMap(outOfTurn),
  ];
}

/** The notice that attempts of one message are, with the first of them that was taken; none where they are another event. */
function heardIn(attempts: readonly Observed[]): Heard[] {
  const taken = attempts.find((each) => classOf(answered(each).outcome) === 'success');
  if (taken?.event?.['type'] !== 'track') return [];
  const { event, properties } = taken.event;
  if (typeof event !== 'string' || !isObject(properties)) return [];
  const about = [properties['destination'], properties['audience']].find((name) => typeof name === 'string') ?? '';
  return [{ name: nameOf(taken), event, about, text: JSON.stringify([event, properties]), at: taken.at }];
}

const TURNS: readonly string[] = ['destination.parked', 'destination.recovered'] satisfies NoticeName[];

function outOfTurn(heard: readonly Heard[]): readonly Violation[] {
  const turns = heard.filter(({ event }) => TURNS.includes(event));
  return turns.flatMap(({ name, event, about }, index) =>
    event === TURNS[index % 2] ? [] : [violation(`${name} said ${event} about ${about} out of turn`)],
  );
}

function violation(words: string): Violation {
  return { rule: 'notices', words };
}
