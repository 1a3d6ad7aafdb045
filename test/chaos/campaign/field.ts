import type { Sql } from "../../../src/platform/database/sql.ts";
import type { DatabaseProxy } from "../../support/database-proxy.ts";
import type { EventReceiver } from "../../support/event-receiver.ts";
import type { RestartingDatabase } from "../database.ts";
import type { Nodes } from "../nodes.ts";
import type { Turnstile } from "../turnstile.ts";
import type { Talked, Visitor } from "../visitors.ts";

export type Field = {
  readonly nodes: Nodes;
  readonly count: number;
  readonly processes: number;
  readonly database: RestartingDatabase;
  /** The proxy between the nodes and their database. */
  readonly proxy: DatabaseProxy;
  /** A connection that bypasses the proxy. */
  readonly sql: Sql;
  readonly events: EventReceiver | undefined;
  readonly publicId: string;
  readonly replies: readonly string[];
  readonly random: () => number;
  /** The range for the duration of faults such as a wrong clock or a full disk. */
  readonly lastsMs: { readonly least: number; readonly most: number };
  /** Conversations that visitors finished. A fault can add conversations of its own visitors. */
  readonly talked: Talked[];
  /** The turnstile that visitors pass with each request. */
  readonly turnstile: Turnstile;
  /** Callbacks for visitors that a fault creates. */
  readonly violated: Visitor["violated"];
  readonly answered: Visitor["answered"];
};

/** An external failure that is over when `strike` returns. Chats must continue afterwards. */
export type Fault = {
  readonly name: string;
  /** The weight with which the fault is drawn. Defaults to 1. */
  readonly weight?: number;
  /** Whether the fault moves the database's clock, so that the lag of events cannot be measured. */
  readonly movesClock?: boolean;
  /** Returns why the fault cannot occur in this field, or a falsy value if it can occur. */
  isMissing?(field: Field): string | undefined | false;
  /**
   * Waits until the fault can occur, and returns the id of the process that it will affect. Does not start the fault.
   */
  aim?(field: Field): Promise<number>;
  /** Causes the fault. `target` is the process that `aim` found. */
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
