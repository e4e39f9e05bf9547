import { type Flat, flat, rowsIn } from './flat-rows.ts';

/** A claim as the thread finds it. */
export interface ClaimRow {
  readonly delivery: number;
  readonly source: string;
  readonly receivedAt: number;
  readonly event: string;
  readonly round: number;
  readonly tries: number;
  readonly earlierRounds: number;
  readonly closed: string;
  readonly line: number | null;
}

/** Its fields in their order. */
export type ClaimFields = readonly [
  delivery: number,
  source: string,
  receivedAt: number,
  event: string,
  round: number,
  tries: number,
  earlierRounds: number,
  closed: string,
  line: number | null,
];

/** Claims as they come back from the thread, in the life of this number. */
export interface FlatClaims {
  readonly epoch: number;
  readonly claims: Flat<ClaimFields>;
}

export function flatClaims(rows: readonly ClaimRow[]): Flat<ClaimFields> {
  return flat(
    rows.map(({ delivery, source, receivedAt, event, round, tries, earlierRounds, closed, line }): ClaimFields => [
      delivery,
      source,
      receivedAt,
      event,
      round,
      tries,
      earlierRounds,
      closed,
      line,
    ]),
  );
}

export function claimsIn(claims: FlatClaims['claims']): ClaimFields[] {
  return rowsIn(claims, 9);
}
