import type { PostgresMigration } from './migrations.ts';

/**
 * `inbox` has what audiences are to see of accepted events, until it is folded. `syncs` are runs of audiences and computed
 * traits, with what was counted and how far they are as JSON. `told` is what a destination was told of a user last, by which
 * sync and which delivery; its value is null where it may not have heard it. `held_in` is the sync that could not tell it yet,
 * or 0. `tellings` are those that no sync has counted as ended. `erasures` has one row, which counts them; who tells something
 * holds it, and who erases waits for that. Users are in the order of their UTF-8.
 * Primary keys are made last, as those of the first step.
 */
const SQL = `
CREATE TABLE inbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, source integer NOT NULL, caught text NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE TABLE syncs (
  computation integer NOT NULL, number integer NOT NULL, state text NOT NULL, started_at bigint NOT NULL, ended_at bigint,
  computed text, progress text NOT NULL, sent integer NOT NULL, delivered integer NOT NULL, failed integer NOT NULL,
  expired integer NOT NULL, superseded integer NOT NULL, held integer NOT NULL, reason text
) WITH (fillfactor = 70);
CREATE INDEX syncs_running ON syncs (computation) WHERE state = 'RUNNING';
CREATE INDEX syncs_ended ON syncs (ended_at);
ALTER TABLE syncs ADD PRIMARY KEY (computation, number);
CREATE TABLE told (
  computation integer NOT NULL, destination integer NOT NULL, user_id text COLLATE "C" NOT NULL, value text,
  sync integer NOT NULL, delivery bigint NOT NULL, held_in integer NOT NULL,
  PRIMARY KEY (computation, destination, user_id)
) WITH (fillfactor = 80);
CREATE TABLE tellings (delivery bigint NOT NULL, computation integer NOT NULL, sync integer NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX tellings_of_sync ON tellings (computation, sync, delivery);
ALTER TABLE tellings ADD PRIMARY KEY (delivery);
CREATE TABLE erasures (id integer PRIMARY KEY, count bigint NOT NULL);
INSERT INTO erasures VALUES (1, 0);
`;

export const audiences: PostgresMigration = {
  version: 3,
  oldest: 1,
  what: 'what audiences see of events, and what destinations were told of them, has a place',
  sql: SQL,
};
