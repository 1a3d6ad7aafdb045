import { builderPlace, portAddress } from "./builder-place.ts";
import type { ManagementDependencies } from "./dependencies.ts";

/** How a request reached the service. */
export type AskedAt = {
  readonly requestOrigin: string;
  /** Whether the request came without a proxy: then the service's other port has the same host name. */
  readonly isDirect: boolean;
};

/** The address of the builder, under the host name that the request used. */
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
