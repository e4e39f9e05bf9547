import type { Send } from './call.ts';
import { idsOf } from './name-templates.ts';
import { type Answer, ask, type Input, listAll } from './operations.ts';
import { type ResourceMethods, resourceMethods } from './resource-methods.ts';
import type { CallOptions, ListOptions, Resource } from './resource-types.ts';
import { RESOURCES } from './resources.ts';

const ITEM = RESOURCES.destinations.item;
const OF_WORKSPACE = '/v1beta/workspaces/{workspace}/destinations';
const OWNER = 'client.destinations';
const PREVIEW = '/v1beta/shapes/preview';

/** The new secret, or the algorithm of one that is made, and for how long the previous one stays valid. */
export type NewSecret = Input<`${typeof ITEM}:rotateSecret`>;
/** The destination with its rotation, and the secret if it was made. */
export type RotatedSecret = Answer<`${typeof ITEM}:rotateSecret`, 'post'>;

/** What is done with the bodies of a destination before they are signed: its setting `shape`. */
export type Shape = Input<typeof PREVIEW>['shape'];
/** What a shape makes of one event. */
export type ShapePreview = Answer<typeof PREVIEW, 'post'>;

export interface DestinationMethods extends ResourceMethods<'destinations'> {
  /** Those of all sources of a workspace, source by source, oldest first. Kinds: `NotFound`. */
  listAll(workspace: string, options?: ListOptions): AsyncIterable<Resource<'destinations'>>;

  /**
   * Replaces the shared secret; until the overlap ends, requests are signed for both. When the answer is lost, repeat the call
   * with the same `secret`, or read the destination. Kinds: `InvalidArgument` while another rotation is under way, `NotFound`.
   */
  rotateSecret(name: string, secret?: NewSecret, options?: CallOptions): Promise<RotatedSecret>;

  /** Ends a rotation with the previous secret. Without one nothing changes. Kinds: `NotFound`. */
  cancelRotation(name: string, options?: CallOptions): Promise<Resource<'destinations'>>;

  /** Ends a rotation with the new secret, before its time. Without one nothing changes. Kinds: `NotFound`. */
  finishRotation(name: string, options?: CallOptions): Promise<Resource<'destinations'>>;

  /** Tries a shape on an event, which need not be complete; nothing is stored or sent. Kinds: `InvalidArgument`. */
  previewShape(shape: Shape, event: object, options?: CallOptions): Promise<ShapePreview>;
}

export function destinationMethods(send: Send): DestinationMethods {
  return {
    ...resourceMethods('destinations', send),
    listAll(workspace, options) {
      const ids = idsOf(`${OWNER}.listAll`, RESOURCES.workspaces.item, workspace);
      return listAll(send, { owner: OWNER, path: OF_WORKSPACE, ids, plural: 'destinations', mark: 'name' }, options);
    },
    async rotateSecret(name, secret = {}, { signal } = {}) {
      const call = { method: 'post', path: `${ITEM}:rotateSecret`, ids: idsOf(OWNER, ITEM, name), signal } as const;
      return ask(send, { ...call, body: secret }, 'destination');
    },
    async cancelRotation(name, { signal } = {}) {
      const ids = idsOf(OWNER, ITEM, name);
      return ask(send, { method: 'post', path: `${ITEM}:cancelRotation`, ids, signal }, 'name');
    },
    async finishRotation(name, { signal } = {}) {
      const ids = idsOf(OWNER, ITEM, name);
      return ask(send, { method: 'post', path: `${ITEM}:finishRotation`, ids, signal }, 'name');
    },
    async previewShape(shape, event, { signal } = {}) {
      const body = { shape, input: JSON.stringify(event) };
      return ask(send, { method: 'post', path: PREVIEW, ids: {}, body, signal }, 'output');
    },
  };
}
