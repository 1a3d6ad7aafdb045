import { builderPlace, portAddress } from "./builder-place.ts";
import type { ManagementDependencies } from "./dependencies.ts";

/** The origin of a request, and whether the request came directly, without a proxy. */
export type AskedAt = {
  readonly requestOrigin: string;
  readonly isDirect: boolean;
};

/**
 * Returns the address of the builder: the configured address, or otherwise the builder's port on the host of the
 * request. Null if the builder is not served or the scheme is unknown.
 */
export function appAddress(
  { config, ports }: Pick<ManagementDependencies, "config" | "ports">,
  { requestOrigin, isDirect }: AskedAt,
): string | null {
  const { address } = builderPlace(config);
  if (address !== undefined) return `${address}/app`;
  if (ports.app === undefined) return null;
  const { hostname } = new URL(requestOrigin);
  const found = portAddress(config, { hostname, port: ports.app, isDirect });
  return found.startsWith("//") ? null : `${found}/app`;
}
