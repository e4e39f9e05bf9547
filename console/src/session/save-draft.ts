import type { Tagged } from '@waybill/client/config';
import { Told } from '../ui/errors.ts';

/** What is read with its tag, and changed where it still has it. */
interface Changeable<Resource, Changes> {
  getTagged(name: string): Promise<Tagged<Resource>>;
  update(name: string, changes: Changes, options: { readonly ifMatch: string }): Promise<Resource>;
}

interface Draft<Resource, Changes> {
  readonly name: string;
  /** The value as it was when somebody began to edit it, and where it stands. */
  readonly before: unknown;
  readonly valueOf: (resource: Resource) => unknown;
  readonly changes: Changes;
}

/**
 * Saves a value that was edited as a whole, where it is still the one that the draft was begun from: what others changed
 * meanwhile would be gone without a word. What they changed elsewhere in the resource is no matter.
 */
export async function saveDraft<Resource, Changes>(
  methods: Changeable<Resource, Changes>,
  { name, before, valueOf, changes }: Draft<Resource, Changes>,
): Promise<Resource> {
  const { resource, etag } = await methods.getTagged(name);
  if (JSON.stringify(valueOf(resource)) !== JSON.stringify(before))
    throw new Told('Changed meanwhile', 'Somebody else has changed this since you began. Nothing was saved.');
  return methods.update(name, changes, { ifMatch: etag });
}
