import { defaultRules } from "../../../src/limits/rate-rules.ts";
import { createTestDatabase } from "../../support/database.ts";
import { commandOf } from "../../support/programs.ts";
import { cleanupStack, endService, startService } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

export type FuzzedService = {
  readonly url: string;
  readonly adminToken: string;
  /** Returns the memory of the service after a garbage collection. */
  heldMegabytes(): Promise<{ readonly heap: number; readonly resident: number }>;
  log(): string;
  close(): Promise<void>;
};

/**
 * Starts the service in a separate process with a separate database. Its rate limits count requests but never reject
 * them.
 */
export async function startFuzzedService(): Promise<FuzzedService> {
  const cleanup = cleanupStack();
  const database = await createTestDatabase();
  cleanup.add(() => database.close());
  const adminToken = `token-of-the-administrator-${crypto.randomUUID()}`;
  const service = await startService({
    command: commandOf("test/tools/fuzz/service-program.ts"),
    environment: {
      DATABASE_URL: database.url,
      DATA_DIR: cleanup.folder(),
      ADMIN_TOKEN: adminToken,
      ENCRYPTION_KEY: "the-key-of-the-fuzzed-service-32-bytes",
      LOG_LEVEL: "error",
      RATE_LIMITS: Object.keys(defaultRules)
        .map((name) => `${name}=100000/s:100000`)
        .join(),
    },
  });
  cleanup.add(() => endService(service));
  let asked = 0;
  return {
    url: service.url,
    adminToken,
    async heldMegabytes() {
      asked++;
      service.signal("SIGUSR2");
      const told = () => [...service.stdout().matchAll(/held \{"heap":(\d+),"resident":(\d+)\}/g)][asked - 1];
      const [, heap, resident] = await waitFor(told, { what: "the service to say what it holds" });
      return { heap: Number(heap) / 2 ** 20, resident: Number(resident) / 2 ** 20 };
    },
    log: () => service.stdout() + service.stderr(),
    close: () => cleanup.run(),
  };
}
