import { failed, type Judgment, passed } from '../../certify/scenario.ts';
import type { Scheme } from '../../schemes/scheme.ts';
import { notJudged, type SenderScenario } from '../scenario.ts';
import type { Sent } from '../sent.ts';
import type { Trial } from '../trial.ts';

const NO_SECRET = 'no secret was given; add --secret, and --scheme where the sender does not sign as Waybill does';
const EXPECTS = 'The signature is made of the raw bytes of the body, with the secret that both sides know.';

export const SIGNATURE_SCENARIOS: readonly SenderScenario[] = [
  signed('signed', 'First attempts are signed', 'first attempts', (attempt) => attempt === 1),
  signed('signed-retries', 'Retries are signed', 'retries', (attempt) => attempt > 1),
  {
    id: 'secret-kept',
    title: 'The secret is in no request',
    expects: 'Whoever reads one request could sign every later one.',
    run: ({ desk, secret }) => {
      if (secret === undefined) return notJudged(NO_SECRET);
      const told = desk.sent.find((one) => holds(one, secret));
      if (told === undefined) return desk.sent.length === 0 ? notJudged('nothing came') : passed('in none');
      return failed('a request holds the secret; send the signature alone');
    },
  },
];

function signed(id: string, title: string, what: string, isMeant: (attempt: number) => boolean): SenderScenario {
  return {
    id,
    title,
    expects: EXPECTS,
    run: async ({ desk, secret, scheme }: Trial): Promise<Judgment> => {
      if (secret === undefined || scheme === undefined) return notJudged(NO_SECRET);
      const meant = desk.events.flatMap(({ attempts }) => attempts.filter((_, index) => isMeant(index + 1)));
      if (meant.length === 0) return notJudged(`no ${what} were seen`);
      for (const one of meant) {
        const fault = await faultOf(one, scheme, secret);
        if (fault !== undefined) return failed(fault);
      }
      return passed(`${meant.length} ${what}, all as ${scheme.title} signs`);
    },
  };
}

async function faultOf(sent: Sent, scheme: Scheme, secret: string): Promise<string | undefined> {
  const check = await scheme.check(sent, secret);
  if (check === 'valid') return undefined;
  if (check === 'missing') return `a request has no ${scheme.headers.join(' or ')}; sign every request`;
  const why = await check.diagnosis();
  return `${check.header} does not belong to the body${why === '' ? '' : ` (${why})`}; sign the bytes that are sent`;
}

function holds({ path, headers, body }: Sent, secret: string): boolean {
  const bytes = Buffer.from(body);
  return path.includes(secret) || headers.some(([, value]) => value.includes(secret)) || bytes.includes(secret);
}
