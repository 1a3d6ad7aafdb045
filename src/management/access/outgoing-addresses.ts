import type { Config } from "../../config.ts";
import {
  hostOf,
  isPublicAddress,
  notPublic,
  RefusedCall,
  RefusedHost,
  readAllowedHosts,
  readModelServers,
  readTarget,
  requirePermitted,
} from "../../core/flow/outgoing-rules.ts";

/**
 * The reason why a configured address may not be called, as the end of a sentence; undefined when it may. Each call
 * checks the addresses that its host name resolves to.
 */
export function outgoingProblem(
  config: Pick<Config, "OUTGOING_ALLOW" | "MODEL_SERVERS">,
  url: string,
  { isForModels = false } = {},
): string | undefined {
  const isOwnModelServer = isForModels && readModelServers(config.MODEL_SERVERS).has(URL.parse(url)?.origin ?? "");
  if (isOwnModelServer) return undefined;
  try {
    const host = hostOf(readTarget(url));
    const isHostAllowed = readAllowedHosts(config.OUTGOING_ALLOW).includes(host);
    requirePermitted(host, { permits: isPublicAddress, isHostAllowed });
    return undefined;
  } catch (error) {
    if (!(error instanceof RefusedCall)) throw error;
    const hint = error instanceof RefusedHost ? `. ${innerHosts}${isForModels ? modelServers : ""}` : "";
    return `is refused: ${error.message}${hint}`;
  }
}

/** The setting that would have allowed a call that was refused for this reason; null where none would. */
export function allowingSetting(url: string, reason: string): "OUTGOING_ALLOW" | null {
  // The name may still resolve to an address that is never called, such as this machine's.
  if (reason === notPublic.host) return "OUTGOING_ALLOW";
  const target = URL.parse(url);
  const isListable = reason === notPublic.address && target && isPublicAddress(hostOf(target), { isHostAllowed: true });
  return isListable ? "OUTGOING_ALLOW" : null;
}

const modelServers = ", and the model servers that he lists in MODEL_SERVERS";

const innerHosts =
  "In the inner network (10/8, 172.16/12, 192.168/16) only hosts that the operator lists in OUTGOING_ALLOW can be called";
