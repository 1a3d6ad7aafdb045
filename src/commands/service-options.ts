import { localAddress } from "../management/access/builder-place.ts";
import type { Environment } from "./command.ts";

/** The address of the service that a command calls, and the token that it sends. */
export type ServiceOptions = { readonly url: string; readonly token?: string };

export type JsonServiceOptions = ServiceOptions & { readonly json?: true };

/** The options that commands share for calling a service. */
export const serviceOptions = {
  url: ["--url <address>", "the address of the service"],
  token: [
    "--token <token>",
    "an API token (default: PARLEY_TOKEN, or for this machine the token in DATA_DIR/admin-token)",
  ],
} as const;

/**
 * Returns the service's default address: PARLEY_URL, or else the address of a service on this machine with these
 * settings.
 */
export function defaultUrl({ PARLEY_URL, HOST = "0.0.0.0", PORT = "3000" }: Environment): string {
  return PARLEY_URL ?? localAddress(HOST, Number(PORT));
}
