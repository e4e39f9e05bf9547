import type { Hours, Measured, Plan } from '../../audiences/plan.ts';
import type { ProfileStorage } from '../../storage/profile-storage.ts';

/** A mistake: what profiles do otherwise than a good engine. */
export type Spoil = (own: ProfileStorage) => Partial<ProfileStorage>;

/** Computes with other plans than those that are asked for. */
export function planning(change: (plan: Plan) => Plan, changeValues = (values: Measured): Measured => values): Spoil {
  return (own) => ({
    compute: ({ of, ...request }) =>
      own.compute({
        ...request,
        of: 'members' in of ? { members: everywhere(of.members, change) } : { values: changeValues(of.values) },
      }),
    preview: (request) => own.preview({ ...request, members: everywhere(request.members, change) }),
  });
}

function everywhere(plan: Plan, change: (plan: Plan) => Plan): Plan {
  if (plan.kind === 'all' || plan.kind === 'any')
    return change({ ...plan, of: plan.of.map((one) => everywhere(one, change)) });
  return change(plan.kind === 'not' ? { ...plan, of: everywhere(plan.of, change) } : plan);
}

/** Counts otherwise, in conditions and in values of their own. */
export function counting(change: (values: Measured) => Measured): Spoil {
  return planning((plan) => (plan.kind === 'measured' ? { ...plan, value: change(plan.value) } : plan), change);
}

export function shifted(change: (hours: Hours) => Hours): Spoil {
  return counting((value) => ({ ...value, hours: change(value.hours) }));
}

/** What counts nothing has no value, where it is zero. */
export const NOTHING_IS_MISSING = counting((value) => ({ ...value, ofNone: 'missing' }));

export const NOT_OF_WHO_HAS_A_TRAIT = planning((plan) =>
  plan.kind === 'not' ? { kind: 'all', of: [plan, { kind: 'trait', name: 'plan', is: { exists: true } }] } : plan,
);

export function conditionsOf(plan: Plan): number {
  if (plan.kind === 'all' || plan.kind === 'any') return plan.of.reduce((sum, one) => sum + conditionsOf(one), 0);
  return plan.kind === 'not' ? conditionsOf(plan.of) : 1;
}
