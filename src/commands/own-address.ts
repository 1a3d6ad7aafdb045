import type { Config } from "../config.ts";

/** Where a service with these settings is reached from the machine that it runs on. */
export function ownAddress({ HOST, PORT }: Pick<Config, "HOST" | "PORT">): string {
  const host = HOST === "0.0.0.0" || HOST === "::" ? "localhost" : HOST;
  return `http://${host.includes(":") ? `[${host}]` : host}:${PORT}`;
}
