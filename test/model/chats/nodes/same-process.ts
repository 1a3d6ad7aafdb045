import { connect } from "../../../../src/platform/database/sql.ts";
import { createDependencies } from "../../../../src/service/dependencies.ts";
import type { TestApi } from "../../../support/api.ts";
import { createClient } from "../../../support/client.ts";
import { type Arrow, type Death, mortal, type Node, partsOf } from "./node.ts";

/** Starts a node within this process. Its death is simulated: its connections break, and its work never ends. */
export function startNodeHere({ deps: common, databaseUrl }: TestApi): Node {
  const sql = connect(databaseUrl, { connections: 4 });
  let dying: { readonly at: Death; readonly reached: () => void } | undefined;
  let isDead = false;
  /** Never resolves if the node dies at this point. */
  const pass = (arrow: Arrow): Promise<void> | undefined => {
    if (dying?.at !== arrow) return undefined;
    isDead = true;
    dying.reached();
    return new Promise(() => {});
  };
  const { handle, due, ...parts } = partsOf(mortal(createDependencies({ ...common, sql }), pass));
  return {
    ...{ ...parts, handle, client: createClient({ handle }), stop: due.stop },
    wake: async () => due.wake(),
    async dieAt(at) {
      const { promise, resolve } = Promise.withResolvers<void>();
      dying = { at, reached: resolve };
      return { reached: promise };
    },
    async livesOn() {
      dying = undefined;
      return !isDead;
    },
    async die() {
      void due.stop();
      await sql.end({ timeout: 0 });
    },
  };
}
