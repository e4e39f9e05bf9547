export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * What a host name leads to, aliases followed: every address, in the order in which they are to be tried. A name that
 * leads nowhere rejects with an error whose `code` says why (`ENOTFOUND`, `EAI_AGAIN`). Where few look-ups can go on at once,
 * workspaces take turns.
 */
export type Resolver = (hostname: string, workspace: string) => Promise<readonly ResolvedAddress[]>;
