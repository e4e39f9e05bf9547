import type { Answer, Courier } from '../courier.ts';
import { told, wantRejected } from '../expectations.ts';
import { failed, type Judgment, passed, type Scenario, type Sender } from '../scenario.ts';

const EITHER = 'While a secret is replaced, requests are signed with both: one signature that verifies is enough.';
/** With a prefix and in base64, for schemes whose secrets are. */
const PREVIOUS = 'whsec_dGhlLXNlY3JldC1iZWZvcmUtdGhlLXJlY2VpdmVycw==';
const NEXT = 'whsec_dGhlLXNlY3JldC1hZnRlci10aGUtcmVjZWl2ZXIncw==';

/** Requests as they come during a rotation: to a receiver with the old secret, with the new one, and with neither. */
export const ROTATION_SCENARIOS: readonly Scenario[] = [
  {
    id: 'rotation-previous',
    title: 'During a rotation, a request verifies with the secret that is replaced',
    expects: EITHER,
    notFor: ofOneSecret,
    run: async (courier) => {
      const answer = await sendBoth(courier, { secret: NEXT, previous: courier.secret });
      return eitherTaken('a request signed with its secret and with the next one', answer);
    },
  },
  {
    id: 'rotation-next',
    title: 'During a rotation, a request verifies with the secret that replaces another',
    expects: EITHER,
    notFor: ofOneSecret,
    run: async (courier) => {
      const answer = await sendBoth(courier, { secret: courier.secret, previous: PREVIOUS });
      const isOfX = courier.scheme.name === 'waybill';
      return isOfX && answer.outcome === 'http_4xx'
        ? needsBoth(answer)
        : eitherTaken('a request signed with the secret before and with its own', answer);
    },
  },
  {
    id: 'rotation-neither',
    title: 'A request with two signatures, of which none verifies, is rejected',
    expects: 'Two signatures prove no more than one: one of them must be made with the shared secret.',
    notFor: ofOneSecret,
    run: async (courier) => {
      const { id, body } = courier.message();
      const request = courier.requestOf(body, { id, secret: NEXT, previous: PREVIOUS });
      return wantRejected(courier, 'a request with two signatures of other secrets', request);
    },
  },
];

function ofOneSecret({ scheme }: Sender): string | undefined {
  return scheme.signBoth === undefined ? `${scheme.title} signs with one secret at a time` : undefined;
}

async function sendBoth(
  courier: Courier,
  secrets: { readonly secret: string; readonly previous: string },
): Promise<Answer> {
  const { id, body } = courier.message();
  return courier.send(courier.requestOf(body, { id, ...secrets }));
}

function eitherTaken(what: string, answer: Answer): Judgment {
  if (answer.outcome === 'delivered') return passed(`accepted: ${told(answer)}`);
  return failed(`${what} was not accepted: ${told(answer)}; answer 2xx where any one of the signatures verifies`);
}

/** `X-Signature` stays with the old secret, so that the receivers that there are go on: the new one is in a header of its own. */
function needsBoth(answer: Answer): Judgment {
  const words = `rejected: ${told(answer)}; read X-Signature-Next too, or know both secrets until a rotation ends`;
  return { verdict: 'advice', words };
}
