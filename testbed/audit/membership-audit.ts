import { isObject } from '../../server/model/json-values.ts';
import { classOf } from '../../server/model/outcome.ts';
import { ofWaybill } from './not-judged.ts';
import { answered, attemptsOf, nameOf, type Observed, type Violation } from './observed.ts';

/** What a receiver is meant to know of a user. */
export interface MembershipWish {
  /** Key of the audience or computed trait: the trait that calls carry. */
  readonly audience: string;
  readonly user: string;
  /** What it was told last; default true. */
  readonly value?: unknown;
}

/**
 * Whether the last call about this user that was taken says so, and whether each call said something new: only changes are told,
 * and what is sent again has the same messageId.
 */
export function auditMembership(
  observed: readonly Observed[],
  { audience, user, value = true }: MembershipWish,
): readonly Violation[] {
  requireName('the user', user);
  requireName('the audience (its key)', audience);
  const calls = attemptsOf(ofWaybill(observed, 'membership').filter((each) => isAbout(each, audience, user))).map(
    storyOf(audience),
  );
  const taken = calls
    .filter(({ takenAt }) => takenAt !== undefined)
    .toSorted((a, b) => (a.takenAt ?? 0) - (b.takenAt ?? 0));
  const last = taken.at(-1);
  if (last === undefined) return [violation(`${user} was not told of ${audience}: ${wordsOf(calls.length)}`)];
  const repeated = taken.filter(({ text }, index) => index > 0 && taken[index - 1]?.text === text);
  const wrong =
    last.text === JSON.stringify(value)
      ? []
      : [violation(`${last.name} told last that ${audience} of ${user} is ${last.text}`)];
  return [
    ...wrong,
    ...repeated.map(({ name, text }) => violation(`${name} told once more that ${audience} of ${user} is ${text}`)),
  ];
}

/** Without one, every receiver that is right would be found wrong: programs without types leave it out. */
function requireName(what: string, name: unknown): void {
  if (typeof name === 'string' && name !== '') return;
  throw new TypeError(`a membership needs ${what} that is told, got ${JSON.stringify(name) ?? 'undefined'}`);
}

function isAbout({ event }: Observed, audience: string, user: string): boolean {
  return event?.['type'] === 'identify' && event['userId'] === user && traitOf(event, audience) !== undefined;
}

function traitOf(event: NonNullable<Observed['event']>, audience: string): unknown {
  const { traits } = event;
  return isObject(traits) && Object.hasOwn(traits, audience) ? traits[audience] : undefined;
}

/** One call, however often it was sent. */
interface Call {
  readonly name: string;
  /** The value, as JSON. */
  readonly text: string;
  /** Undefined where no attempt got a 2xx. */
  readonly takenAt: number | undefined;
}

function storyOf(audience: string): (attempts: readonly Observed[]) => Call {
  return (attempts) => {
    const [first] = attempts;
    const taken = attempts.find((each) => classOf(answered(each).outcome) === 'success');
    return {
      name: first === undefined ? '' : nameOf(first),
      text: JSON.stringify(first?.event === undefined ? undefined : traitOf(first.event, audience)),
      takenAt: taken?.at,
    };
  };
}

function wordsOf(calls: number): string {
  return calls === 0 ? 'no call was about both' : `${calls} ${calls === 1 ? 'call was' : 'calls were'} not accepted`;
}

function violation(words: string): Violation {
  return { rule: 'membership', words };
}
