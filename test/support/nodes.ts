import { createTestApi, type TestApi, type TestApiOptions } from "./api.ts";
import { createTestDatabase } from "./database.ts";

/** Two nodes on one database, each with connections and caches of its own. */
export type TestNodes = {
  readonly nodes: readonly [TestApi, TestApi];
  close(): Promise<void>;
};

export async function createTestNodes(options: Omit<TestApiOptions, "database" | "through"> = {}): Promise<TestNodes> {
  const database = await createTestDatabase();
  const shared = { ...database, close: async () => {} };
  // Tests of several nodes ask faster than anybody may.
  const config = { RATE_LIMITS: "off", ...options.config };
  const makeNode = () => createTestApi({ ...options, config, database: shared, through: async (url) => url });
  const nodes = [await makeNode(), await makeNode()] as const;
  return {
    nodes,
    async close() {
      for (const node of nodes) await node.close();
      await database.close();
    },
  };
}
