import { expect, test } from 'vitest';
import type { Limits } from '../../delivery/pace.ts';
import { Roles, shareOf, withShare } from '../../delivery/roles.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import type { Peer } from '../../storage/members.ts';

const LIMIT = DEFAULT_POLICY.perDestination;
const NAMES = Array.from({ length: 30 }, (_, index) => `d${index}`);

const peerOf = (node: string, owns?: boolean, epoch = 1): Peer =>
  owns === undefined ? { node, epoch } : { node, epoch, division: { among: '', over: [], owns } };

/** A router that counts with these since all agreed. */
function agreed(self: string, nodes: readonly string[], limits?: Limits): Roles {
  const roles = new Roles(DEFAULT_POLICY, () => limits);
  const peers = nodes.map((node) => peerOf(node));
  roles.begin(peerOf(self), peers);
  roles.agree(new Set());
  return roles;
}

const limitOf = (roles: Roles, destination: string): number => roles.of(destination).policy.perDestination;

test('D-62: before it has heard of anybody a router counts as alone, and as the owner of all', () => {
  const roles = new Roles(DEFAULT_POLICY);
  expect([roles.isAlone, roles.isAgreed, roles.among, roles.ownerOf('d')]).toEqual([true, false, '', '']);
});

test('D-62: a router that is alone needs nobody to agree, whether it begins so or others leave it', () => {
  const roles = new Roles(DEFAULT_POLICY);
  roles.begin(peerOf('a'), [peerOf('a')]);
  expect([roles.isAlone, roles.isAgreed, limitOf(roles, 'd')]).toEqual([true, true, LIMIT]);
  roles.meet([peerOf('a'), peerOf('b')]);
  expect([roles.isAlone, roles.isAgreed]).toEqual([false, false]);
  roles.meet([peerOf('a')]);
  expect([roles.isAlone, roles.isAgreed, limitOf(roles, 'd')]).toEqual([true, true, LIMIT]);
});

test('D-62: members are others when one comes, leaves, lives anew, or gets its first share; not in another order', () => {
  const roles = agreed('a', ['a', 'b']);
  const [a, b] = [peerOf('a'), peerOf('b')];
  expect([roles.meet([b, a]), roles.isAgreed]).toEqual([false, true]);
  const others = [
    [a, b, peerOf('c')],
    [a, b],
    [a, peerOf('b', undefined, 2)],
    [a, peerOf('b', false, 2)],
  ];
  for (const peers of others) {
    const before = roles.among;
    expect([roles.meet(peers), roles.isAgreed]).toEqual([true, false]);
    expect(roles.among).not.toBe(before);
    roles.agree(new Set());
  }
  expect(roles.meet([a, peerOf('b', true, 2)])).toBe(true);
});

test('D-62: all who know of the same members call them the same', () => {
  const roles = new Roles(DEFAULT_POLICY);
  roles.begin(peerOf('b'), [peerOf('b', false, 3), peerOf('a', true, 12)]);
  expect(roles.among).toBe('a:12 b:3?');
});

test('D-62: members that come back are counted with once, in the place of what was heard last', () => {
  const roles = agreed('a', ['a', 'b']);
  const two = ['a', 'b'].map((node) => peerOf(node));
  roles.meet([...two, peerOf('c')]);
  roles.meet(two);
  roles.agree(new Set(['crowded']));
  expect(roles.isAgreed).toBe(false);
  const [ofTwo, ofThree] = [agreed('a', ['a', 'b']), agreed('a', ['a', 'b', 'c'])];
  expect(limitOf(roles, 'crowded')).toBe(Math.min(limitOf(ofTwo, 'crowded'), limitOf(ofThree, 'crowded')));
  for (const name of NAMES) expect(limitOf(roles, name)).toBe(limitOf(ofTwo, name));
});

test('D-62: once all agree, what was divided by before counts no more when members change again', () => {
  const roles = new Roles(DEFAULT_POLICY);
  roles.begin(peerOf('a'), [peerOf('a')]);
  const meet = (...nodes: readonly string[]): boolean => roles.meet(nodes.map((node) => peerOf(node)));
  meet('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
  meet('a', 'b');
  roles.agree(new Set());
  meet('a', 'b', 'c');
  const [ofTwo, ofThree] = [agreed('a', ['a', 'b']), agreed('a', ['a', 'b', 'c'])];
  for (const name of NAMES) expect(limitOf(roles, name)).toBe(Math.min(limitOf(ofTwo, name), limitOf(ofThree, name)));
});

test('D-62: who hears twice that all agree divides as before', () => {
  const roles = agreed('a', ['a', 'b']);
  const before = NAMES.map((name) => roles.of(name));
  roles.agree(new Set());
  expect(NAMES.map((name) => roles.of(name))).toEqual(before);
});

test('D-62: a life that begins anew among others forgets what was agreed before', () => {
  const roles = agreed('a', ['a']);
  roles.begin(peerOf('a', undefined, 2), [peerOf('a', undefined, 2), peerOf('b')]);
  expect([roles.isAgreed, limitOf(roles, 'd')]).toEqual([false, 0]);
});

test('HOOK-24, D-62: of a destination with a pace its owner has all places, and guests none', () => {
  const members = ['a', 'b', 'c'];
  const limits = { perSecond: 10, inFlight: 5 };
  const all = members.map((self) => agreed(self, members, limits));
  for (const name of NAMES) {
    const places = all.map((roles) => [limitOf(roles, name), roles.of(name).isOwner]);
    expect(places.toSorted(([a], [b]) => Number(b) - Number(a))).toEqual([
      [5, true],
      [0, false],
      [0, false],
    ]);
  }
});

test('HOOK-24, D-62: of a destination that may have so many in flight, members divide that', () => {
  const members = ['a', 'b', 'c'];
  const limits = { inFlight: 5 };
  const all = members.map((self) => agreed(self, members, limits));
  for (const name of NAMES) {
    const places = all.map((roles) => limitOf(roles, name));
    expect(places.toSorted((a, b) => a - b)).toEqual([1, 1, 3]);
  }
});

test('HOOK-24: a role tells the limits by which it was found, and how far apart rounds are by them', () => {
  let limits: Limits | undefined = { inFlight: 5, perSecond: 4 };
  const roles = new Roles(DEFAULT_POLICY, () => limits);
  roles.begin(peerOf('a'), [peerOf('a')]);
  const role = roles.of('d');
  expect([role.limits === limits, role.gapMs]).toEqual([true, 250]);
  limits = undefined;
  expect(['limits', 'gapMs'].filter((field) => field in roles.of('d'))).toEqual([]);
});

const guestOf = (limit: number, members: number): number => shareOf(limit, { members, isOwner: false });

test('D-62: a guest has half of an even share, at least one place, and none where there are more members than places', () => {
  expect([guestOf(32, 2), guestOf(32, 4), guestOf(3, 3), guestOf(2, 3), guestOf(1, 2)]).toEqual([8, 4, 1, 0, 0]);
  expect(shareOf(32, { members: 4, isOwner: true })).toBe(20);
});

test('D-62: memory for a destination shrinks with the share, to one place at least', () => {
  const { perDestination, queueRoom } = withShare(DEFAULT_POLICY, 8);
  expect([perDestination, queueRoom]).toEqual([8, 250]);
  expect(withShare(DEFAULT_POLICY, 0).queueRoom).toBe(1);
});

test('D-62: who cannot own yet is passed over, and all count where nobody can', () => {
  const roles = new Roles(DEFAULT_POLICY);
  roles.begin(peerOf('a'), [peerOf('a', true), peerOf('b', false), peerOf('c')]);
  const ownersOf = (): string[] => [...new Set(NAMES.map((name) => roles.ownerOf(name)))].toSorted();
  expect(ownersOf()).toEqual(['a', 'c']);
  roles.meet([peerOf('a', false), peerOf('b', false)]);
  expect(ownersOf()).toEqual(['a', 'b']);
});

test('D-62: owners follow from names alone: routers of another version find the same', () => {
  const roles = agreed('a', ['a', 'b', 'c']);
  expect(NAMES.map((name) => roles.ownerOf(name)).join('')).toBe('bcbbabcaccbbabaacaccbacbaaacaa');
});
