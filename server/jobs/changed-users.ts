import type { Computation } from '../audiences/computations.ts';
import { differences } from '../audiences/differences.ts';
import type { Addressee } from '../audiences/identify-call.ts';
import type { Directory } from '../directory/directory.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { ProfileStorage, Standing } from '../storage/profile-storage.ts';
import type { Told } from '../storage/telling-storage.ts';

/** Users whom one step compares: a few milliseconds, so that deliveries have their turn between. */
export const PAGE = 200;

interface Ports {
  readonly directory: Pick<Directory, 'computations'>;
  readonly profiles: Pick<ProfileStorage, 'results' | 'standing'>;
}

/** The page of what a destination was told … */
interface ToldBehind {
  readonly told: readonly Told[];
  /** … behind this user. */
  readonly after: string | undefined;
}

interface ChangedUsers {
  /** The last user who was compared; undefined where nobody is behind. */
  readonly upTo: string | undefined;
  /** Who entered, has another value, or left. */
  readonly changed: readonly Pick<Addressee, 'user' | 'value'>[];
  /** Who were erased. */
  readonly forgotten: readonly string[];
  /** Who are known under another id. */
  readonly silenced: readonly string[];
}

/**
 * Compares one page of what a run found with what a destination was told, and answers what differs (D-71); undefined where what the
 * run found is no longer kept.
 */
export async function changedUsers(
  computation: Computation,
  run: number,
  { told, after }: ToldBehind,
  ports: Ports,
): Promise<ChangedUsers | undefined> {
  const isMore = told.length === PAGE;
  // What is behind would not be compared, and storage might have to pass everybody who has left to find it.
  const upTo = isMore ? told.at(-1)?.user : undefined;
  const found = await ports.profiles.results({ computation: computation.name, run, after, upTo, limit: PAGE });
  if (found.run === undefined) return undefined;
  const compared = differences({ rows: found.results, isMore: found.next !== undefined }, { rows: told, isMore });
  const { left, ...others } = await partGone(computation, compared.gone, ports);
  return { ...others, upTo: compared.upTo, changed: [...compared.changed, ...left] };
}

/**
 * Who left, and who is not known any more, as they were erased. Who is known under another id is told nothing, not even what
 * waits; what was told of the id stays, for if it is theirs again.
 */
async function partGone({ name, ofNone }: Computation, gone: readonly Told[], { directory, profiles }: Ports) {
  if (gone.length === 0) return { left: [], forgotten: [], silenced: [] };
  const { id: space = '' } = directory.computations(workspaceOf(name)).space ?? {};
  const standings = await profiles.standing({ space, users: gone.map(({ user }) => user) });
  const those = (standing: Standing): Told[] => gone.filter((_one, index) => standings[index] === standing);
  const left = those('known').filter(({ value }) => value !== ofNone);
  return {
    left: left.map(({ user }) => ({ user, value: ofNone })),
    forgotten: those('unknown').map(({ user }) => user),
    silenced: those('merged').map(({ user }) => user),
  };
}
