import type { Config } from "../config.ts";
import { localAddress } from "../management/access/builder-place.ts";

/** Where a service with these settings is reached from the machine that it runs on. */
export function ownAddress({ HOST, PORT }: Pick<Config, "HOST" | "PORT">): string {
  return localAddress(HOST, PORT);
}
