import { parse } from '../../client/webhooks/parse.ts';
import { headerOf } from '../receiver/received.ts';
import { signedByOther } from '../schemes/schemes.ts';
import { isOfWaybill, nameOf, type Observed, type Violation } from './observed.ts';

export interface ContractOptions {
  /** Static headers of the webhook, which every request has to carry (HOOK-3). */
  readonly headers?: Readonly<Record<string, string>>;
}

type Check = (each: Observed, options: ContractOptions) => Violation | readonly Violation[] | undefined;

const USER_AGENT = /^Waybill\/\d+\.\d+\.\d+$/;

/** Each looks at one request alone: how it is made, not when it came. These are for every sender … */
const OF_ALL: readonly Check[] = [
  ({ method }) =>
    method === 'POST' ? undefined : { rule: 'request-format', words: `was sent with ${method}; webhooks are POSTs` },
  (each, { headers = {} }) =>
    // The values may be credentials, and are not repeated.
    Object.entries(headers)
      .filter(([name, value]) => headerOf(each, name) !== value)
      .map(([name]) => ({
        rule: 'static-headers',
        words: `${headerOf(each, name) === undefined ? 'lacks' : 'has another value in'} the static header ${name}`,
      })),
];

/** … and these for what Waybill promises of its own. */
const OF_WAYBILL: readonly Check[] = [
  (each) => {
    const type = headerOf(each, 'content-type');
    if (type === 'application/json') return undefined;
    return { rule: 'request-format', words: `has Content-Type ${type ?? 'missing'}; it is application/json` };
  },
  (each) => {
    const agent = headerOf(each, 'user-agent');
    if (agent !== undefined && USER_AGENT.test(agent)) return undefined;
    return { rule: 'request-format', words: `has User-Agent ${agent ?? 'missing'}; it is Waybill/ and a version` };
  },
  ({ body }) => {
    const parsed = parse(body);
    if (parsed.kind === 'event') return undefined;
    const what = parsed.kind === 'unknown' ? `its type ${JSON.stringify(parsed.type)} is unknown` : parsed.problem;
    return { rule: 'body', words: `does not hold a body of the contract: ${what}` };
  },
  ({ event }) =>
    event?.['type'] === 'delete' && event['version'] !== undefined
      ? { rule: 'body', words: 'has a version, unlike a delete' }
      : undefined,
  ({ event }) => {
    const nulls = Object.entries(event ?? {}).filter(([, value]) => value === null);
    if (nulls.length === 0) return undefined;
    return { rule: 'body', words: `holds null in ${nulls.map(([name]) => name).join(', ')}; nulls must be absent` };
  },
  ({ body }) => {
    const text = new TextDecoder().decode(body);
    return text === rewritten(text)
      ? undefined
      : {
          rule: 'same-bytes',
          words:
            'is not written as JSON.stringify would write it again: receivers that re-serialize see another signature',
        };
  },
];

/** What is wrong with the requests, one by one, as far as the scheme of their endpoint says what is right. */
export function auditContract(observed: readonly Observed[], options: ContractOptions = {}): readonly Violation[] {
  return observed.flatMap((each) =>
    checksOf(each)
      .flatMap((check) => check(each, options) ?? [])
      .map(({ rule, words }) => ({
        rule,
        words: `${nameOf(each)} ${words}`,
      })),
  );
}

function checksOf(each: Observed): readonly Check[] {
  if (!isOfWaybill(each)) return OF_ALL;
  // What another sender signed breaks every promise of Waybill, and for one reason.
  const other = signedByOther(each, each.scheme);
  if (other === undefined) return [...OF_ALL, ...OF_WAYBILL];
  const words = `is signed as ${other.title} signs: give its endpoint the scheme ${other.name}`;
  return [...OF_ALL, () => ({ rule: 'scheme', words })];
}

function rewritten(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}
