import { createTestApi, type TestApi, type TestApiOptions } from "./api.ts";
import { createTestDatabase } from "./database.ts";

/** Two nodes on one database, each with separate connections and caches. */
export type TestNodes = {
  readonly nodes: readonly [TestApi, TestApi];
  close(): Promise<void>;
};

type Options = Omit<TestApiOptions, "database" | "through" | "connections"> & {
  /** The number of connections in the pool of each node. */
  readonly connections?: readonly [number, number];
};

export async function createTestNodes({ connections = [4, 4], ...options }: Options = {}): Promise<TestNodes> {
  const database = await createTestDatabase();
  const shared = { ...database, close: async () => {} };
  // Tests with several nodes send more requests than the rate limits allow.
  const config = { RATE_LIMITS: "off", ...options.config };
  const makeNode = (ofPool: number) =>
    createTestApi({ ...options, config, database: shared, through: async (url) => url, connections: ofPool });
  const nodes = [await makeNode(connections[0]), await makeNode(connections[1])] as const;
  return {
    nodes,
    async close() {
      for (const node of nodes) await node.close();
      await database.close();
    },
  };
}
