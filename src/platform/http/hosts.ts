import type { Config } from "../../config.ts";
import { proxyList } from "../rate-limits/client-address.ts";

type HostSettings = Pick<Config, "PUBLIC_URL" | "CHAT_URL" | "TRUSTED_PROXIES">;

export type HostKind = "management" | "chat" | "both";

/**
 * Returns a function that checks whether a request may be answered under its host name. If PUBLIC_URL and CHAT_URL have
 * different hosts, each host answers 404 for the paths of the other host. Requests with any other host name (an IP
 * address, a probe) are answered, because a proxy may rewrite `Host`. `X-Forwarded-Host` is only accepted from
 * TRUSTED_PROXIES.
 */
export function hostGate(config: HostSettings) {
  const managementHost = hostOf(config.PUBLIC_URL);
  const chatHost = hostOf(config.CHAT_URL);
  const isSplit = chatHost !== undefined && chatHost !== managementHost;
  const readHost = hostReader(config);

  return function mayAnswer(kind: HostKind, request: Request, remoteAddress: () => string | undefined): boolean {
    if (!isSplit || kind === "both") return true;
    return readHost(request, remoteAddress) !== (kind === "chat" ? managementHost : chatHost);
  };
}

/** Returns a function that reads the host name of a request, without the default port. */
export function hostReader(config: Pick<Config, "TRUSTED_PROXIES">) {
  const isProxy = proxyList(config.TRUSTED_PROXIES);
  return (request: Request, remoteAddress: () => string | undefined): string =>
    requestHost(request, () => {
      const address = remoteAddress();
      return address !== undefined && isProxy(address);
    });
}

function hostOf(address: string | undefined): string | undefined {
  return address === undefined ? undefined : new URL(address).host.replace(/:(80|443)$/, "");
}

function requestHost(request: Request, isFromProxy: () => boolean): string {
  const forwarded = request.headers.get("x-forwarded-host");
  const named = forwarded !== null && isFromProxy() ? forwarded.split(",").at(0) : request.headers.get("host");
  const host = named ?? new URL(request.url).host;
  return host
    .trim()
    .toLowerCase()
    .replace(/:(80|443)$/, "");
}
