import { isIP } from 'node:net';
import type { AddressGuard } from '../../../delivery/address-guard.ts';
import { createUndiciTransport, type Dialler } from '../../../delivery/undici-transport.ts';
import type { PostResult } from '../../../ports/transport.ts';
import type { Resolver } from '../../../ports/resolver.ts';
import { dryDialler } from './dry-dialler.ts';
import type { ForbiddenForm } from './forbidden-forms.ts';
import { PUBLIC_ADDRESSES } from './named-forms.ts';
import { errorWith } from '../../../thrown.ts';

/**
 * What the transport makes of a form: `refused` before any packet · `allowed` because the operator's settings name the
 * address · `escaped` otherwise: a packet would have gone out.
 */
export interface FormVerdict {
  readonly form: ForbiddenForm;
  readonly verdict: 'refused' | 'allowed' | 'escaped';
  readonly why: string;
}

const DEADLINE_MS = 5_000;

/** Posts to the form through the production transport, all but its last step; no packet is sent. */
export async function verdictOf(form: ForbiddenForm, guard: AddressGuard): Promise<FormVerdict> {
  const dialled = new Set<string>();
  const results = await postTo(
    form,
    guard,
    dryDialler((address) => dialled.add(address)),
  );
  // A name that changes may well lead to where it is public; what counts is that nothing else is dialled.
  const reached = [...dialled].filter((address) => !PUBLIC_ADDRESSES.some((known) => known === address));
  const last = results.at(-1);
  if (reached.length > 0) return { form, ...permission(reached, guard) };
  if (last?.kind === 'failed' && last.failure === 'blocked_address')
    return { form, verdict: 'refused', why: last.detail };
  return { form, verdict: 'escaped', why: `it was not refused: ${JSON.stringify(last)}` };
}

/** One post for each thing that DNS says of the form, or a single one. */
export async function postTo(form: ForbiddenForm, guard: AddressGuard, dialler?: Dialler): Promise<PostResult[]> {
  const resolver = scriptedResolver(form.answers);
  const transport = createUndiciTransport(guard, DEADLINE_MS, dialler ? { resolver, dialler } : { resolver });
  const results: PostResult[] = [];
  const request = { workspace: 'doctor', url: form.url, headers: {}, body: Buffer.from('{}'), deadlineMs: DEADLINE_MS };
  for (let posts = Math.max(1, form.answers.length); posts > 0; posts -= 1) {
    // One after another: each is to meet the next answer.
    results.push(await transport.post(request, new AbortController().signal));
  }
  await transport.close();
  return results;
}

/** Answers each look-up with the next answer, and goes on with the last. */
export function scriptedResolver(answers: readonly (readonly string[])[]): Resolver {
  let asked = 0;
  return async (hostname) => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    if (answer.length === 0) throw errorWith('ENOTFOUND', `${hostname} is unknown`);
    return answer.map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }));
  };
}

function permission(reached: readonly string[], guard: AddressGuard): Pick<FormVerdict, 'verdict' | 'why'> {
  const rulings = reached.map((address) => ({ address, ruling: guard(address) }));
  const blocks = rulings.map(({ ruling }) => (ruling.allowed && ruling.by !== 'public' ? ruling.by : undefined));
  if (blocks.includes(undefined)) return { verdict: 'escaped', why: `${reached.join(', ')} would have been dialled` };
  return { verdict: 'allowed', why: `allowed by --allow-networks ${[...new Set(blocks)].join(', ')}` };
}
