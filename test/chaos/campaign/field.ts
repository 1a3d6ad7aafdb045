import type { Sql } from "../../../src/platform/database/sql.ts";
import type { DatabaseProxy } from "../../support/database-proxy.ts";
import type { EventReceiver } from "../../support/event-receiver.ts";
import type { RestartingDatabase } from "../database.ts";
import type { Nodes } from "../nodes.ts";
import type { Turnstile } from "../turnstile.ts";
import type { Talked, Visitor } from "../visitors.ts";

/** The targets of faults. */
export type Field = {
  readonly nodes: Nodes;
  /** All nodes. */
  readonly count: number;
  readonly processes: number;
  readonly database: RestartingDatabase;
  /** Between the nodes and their database. */
  readonly proxy: DatabaseProxy;
  /** Past the proxy. */
  readonly sql: Sql;
  readonly events: EventReceiver | undefined;
  readonly publicId: string;
  readonly replies: readonly string[];
  readonly random: () => number;
  /** How long a state lasts in which chats are to continue. */
  readonly lastsMs: { readonly least: number; readonly most: number };
  /** Conversations that were held to their end; those that a fault holds are added. */
  readonly talked: Talked[];
  /** Through which visitors go with each request. */
  readonly turnstile: Turnstile;
  /** As of visitors. */
  readonly violated: Visitor["violated"];
  readonly answered: Visitor["answered"];
};

/** Something that goes wrong from outside, and is over when `strike` returns: then chats have to continue. */
export type Fault = {
  readonly name: string;
  /** The weight with which it is drawn; 1 by default. */
  readonly weight?: number;
  /** Whether the lag of events can be measured: not while the database's clock is moved. */
  readonly movesClock?: boolean;
  /** Why it cannot happen here. */
  isMissing?(field: Field): string | undefined | false;
  /** Waits until it can happen. It begins afterwards. */
  aim?(field: Field): Promise<number>;
  /** Gets the process that `aim` found. */
  strike(field: Field, target: number): Promise<void>;
};

export function between(random: () => number, least: number, most: number): number {
  return least + random() * (most - least);
}

export function oneOf<Entry>(random: () => number, list: readonly Entry[]): Entry {
  const entry = list[Math.floor(random() * list.length)];
  if (entry === undefined) throw new Error("There is nothing to choose from");
  return entry;
}
