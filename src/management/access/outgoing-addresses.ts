import type { Config } from "../../config.ts";
import {
  forbiddenHost,
  hostOf,
  isPublicAddress,
  notPublic,
  RefusedCall,
  RefusedHost,
  readAllowedHosts,
  readModelServers,
  readOwnMachine,
  readTarget,
  requirePermitted,
} from "../../core/flow/outgoing-rules.ts";
import { isAllowable, isLoopbackHost, portsOfThisMachine } from "../../limits/allowed-hosts.ts";

/**
 * Returns the reason why a configured address may not be called, as the end of a sentence, or undefined if the call is
 * allowed. Each call also checks the addresses to which the host name resolves.
 */
export function outgoingProblem(
  config: Pick<Config, "OUTGOING_ALLOW" | "MODEL_SERVERS">,
  url: string,
  { isForModels = false } = {},
): string | undefined {
  const trusted = isForModels ? readModelServers(config.MODEL_SERVERS) : readOwnMachine(config.OUTGOING_ALLOW);
  if (trusted.has(URL.parse(url)?.origin ?? "")) return undefined;
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

export type ReachSettings = Pick<
  Config,
  "HOST" | "PORT" | "APP_PORT" | "ALLOW_LOOPBACK" | "PUBLIC_URL" | "CHAT_URL" | "TRUSTED_PROXIES"
>;

/**
 * Returns the lines that the operator could add to the settings to allow a call that was rejected for this reason. The
 * list is empty if there is nothing to suggest. A port of this machine is suggested only if HOST is a loopback address,
 * ALLOW_LOOPBACK is `yes`, or no setting indicates that the service is public.
 */
export function allowingLines(config: ReachSettings, url: string, reason: string): string[] {
  const target = URL.parse(url);
  if (!target) return [];
  const host = hostOf(target);
  // The host name may still resolve to an address that this line does not allow, such as an address of this machine.
  if (reason === notPublic.host) return [`OUTGOING_ALLOW=${host}`];
  if (reason !== notPublic.address && reason !== forbiddenHost) return [];
  if (isPublicAddress(host, { isHostAllowed: true })) return [`OUTGOING_ALLOW=${host}`];
  const entry = `${host}:${target.port}`;
  const isOwn = [config.PORT, Number(config.APP_PORT ?? config.PORT + 1)].includes(Number(target.port));
  if (portsOfThisMachine(entry).length === 0 || !isAllowable(entry) || isOwn) return [];
  if (isLoopbackHost(config.HOST) || config.ALLOW_LOOPBACK === "yes") return [`OUTGOING_ALLOW=${entry}`];
  const isForOthers = config.PUBLIC_URL !== undefined || config.CHAT_URL !== undefined || config.TRUSTED_PROXIES !== "";
  return isForOthers ? [] : ["HOST=127.0.0.1", `OUTGOING_ALLOW=${entry}`];
}

const modelServers = ", and the model servers that the operator lists in MODEL_SERVERS";

const innerHosts =
  "In the internal network (10/8, 172.16/12, 192.168/16), only hosts that the operator lists in OUTGOING_ALLOW can be called";
