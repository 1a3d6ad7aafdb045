import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { portsOfThisMachine } from "../../limits/allowed-hosts.ts";

/**
 * Returns whether a connection to an IP address is allowed. `isHostAllowed`: whether the operator has listed the host
 * that resolved to the address.
 */
export type AddressRule = (address: string, options: { readonly isHostAllowed: boolean }) => boolean;

/**
 * Thrown for a call that must not be made. The message contains the reason but never describes the internal network.
 */
export class RefusedCall extends Error {
  override readonly name = "RefusedCall";
}

/**
 * The operator's lists of trusted servers: MODEL_SERVERS, the origins of PROVIDER_URLS, and the servers of messengers.
 */
export type Trusted = "models" | "providers" | "channels";

/**
 * The reasons why a call to the internal network is refused: the host is an internal address, or its name resolves to
 * an internal address.
 */
export const notPublic = { address: "This address is not public", host: "The host's address is not public" } as const;

/** The reason why a call to this machine by name, or to a cloud's metadata host, is refused. */
export const forbiddenHost = "This host cannot be called";

/** Thrown for a call to a forbidden host, regardless of the path. */
export class RefusedHost extends RefusedCall {}

/**
 * Returns whether an address may be called. Public unicast addresses are allowed, except the address of Azure's
 * platform. Listed hosts may also use the three private IPv4 ranges. All other addresses are refused, such as loopback,
 * link-local (cloud metadata), carrier-grade NAT and unique-local addresses.
 */
export const isPublicAddress: AddressRule = (address, { isHostAllowed }) => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return isPublic(parsed) || (isHostAllowed && isPrivate(parsed));
  if (!(parsed instanceof ipaddr.IPv6)) return false;
  // IPv6-only networks reach IPv4 servers through NAT64, so the embedded IPv4 address is checked.
  if (parsed.match(wellKnownNat64)) return isPublic(new ipaddr.IPv4(parsed.toByteArray().slice(12)));
  return parsed.range() === "unicast" && parsed.match(globalUnicast);
};

/**
 * Returns whether a server that the operator lists by origin may be called at an address. The address may be on this
 * machine or in any internal network. Link-local addresses and the addresses at which clouds serve credentials are
 * always refused.
 */
export const isTrustedAddress: AddressRule = (address) => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (metadataAddresses.has(parsed.toString())) return false;
  return ["unicast", "loopback", "private", "uniqueLocal", "carrierGradeNat"].includes(parsed.range());
};

/**
 * Returns the URL of a call, or of a redirect relative to `base`. Throws a RefusedCall if the URL is not allowed. The
 * IP addresses of the host are checked later. For `trustedOrigins` any host and port is allowed.
 */
export function readTarget(address: string, base?: URL, trustedOrigins?: ReadonlySet<string>): URL {
  const url = URL.parse(address, base?.href);
  if (!url) throw new RefusedCall("This is not a valid URL");
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new RefusedCall("Only http and https can be called");
  if (trustedOrigins?.has(url.origin)) return url;
  const host = hostOf(url);
  if (host === "") throw new RefusedCall("The URL has no host");
  if (forbiddenHosts.has(host) || host.endsWith(".localhost")) throw new RefusedHost(forbiddenHost);
  if (forbiddenPorts.has(url.port)) throw new RefusedCall(`Port ${url.port} cannot be called`);
  if (url.host !== base?.host && isIPv4(host) && !isSpelledOut(address, host)) {
    throw new RefusedCall("This spelling of an IP address cannot be called");
  }
  return url;
}

/**
 * Throws a RefusedHost if the host is an IP address that must not be called. Addresses that a host name resolves to are
 * checked when connecting.
 */
export function requirePermitted(
  host: string,
  { permits, isHostAllowed }: { readonly permits: AddressRule; readonly isHostAllowed: boolean },
): void {
  if (isIP(host) !== 0 && !permits(host, { isHostAllowed })) throw new RefusedHost(notPublic.address);
}

/** Returns the origins listed in MODEL_SERVERS. */
export function readModelServers(text: string): ReadonlySet<string> {
  return new Set(text.split(",").flatMap((entry) => URL.parse(entry.trim())?.origin ?? []));
}

/** Returns the origins in PROVIDER_URLS, by the name of the provider whose own origin is replaced. */
export function readProviderUrls(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(",").flatMap((entry): [string, string][] => {
      const [name = "", address = ""] = entry.split("=", 2).map((part) => part.trim());
      const origin = URL.parse(address)?.origin;
      return origin === undefined ? [] : [[name, origin]];
    }),
  );
}

/** Returns the hosts listed in OUTGOING_ALLOW, in the format of `hostOf`. */
export function readAllowedHosts(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/ *, */)
    .filter((entry) => entry !== "" && !entry.includes(":"));
}

/**
 * Returns the origins of the ports of this machine that OUTGOING_ALLOW lists. Each port has an origin for `localhost`
 * and for `127.0.0.1`, with HTTP and with HTTPS.
 */
export function readOwnMachine(text: string): ReadonlySet<string> {
  return new Set(
    portsOfThisMachine(text).flatMap((port) =>
      ["localhost", "127.0.0.1"].flatMap((host) => [`http://${host}:${port}`, `https://${host}:${port}`]),
    ),
  );
}

/** Returns the host in the format for DNS look-ups: lower case, without brackets and without a trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/**
 * Returns whether the address contains the host literally. URLs also accept decimal, hexadecimal, octal and full-width
 * notations of IP addresses, which legitimate authors never use.
 */
function isSpelledOut(address: string, host: string): boolean {
  return address.split(/[/\\@:?#\s]/).includes(host);
}

const wellKnownNat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
/** The IPv6 range that is currently allocated. All other addresses are unassigned or special. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

function isPublic(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && address.toString() !== azurePlatform;
}

/** Metadata addresses of AWS (IPv6), Alibaba and Azure. */
const metadataAddresses = new Set(["fd00:ec2::254", "100.100.100.200", "168.63.129.16"]);

/** Within Azure, this public address belongs to the platform and serves each machine its credentials. */
const azurePlatform = "168.63.129.16";

function isPrivate(address: ipaddr.IPv4): boolean {
  return address.range() === "private";
}

const forbiddenHosts = new Set(["localhost", "metadata", "metadata.goog", "metadata.google.internal"]);

/**
 * The ports that browsers block (Fetch standard, "bad port"). Servers of other protocols use these ports, and some of
 * them execute commands in an HTTP body.
 */
const forbiddenPorts = new Set(
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139
  143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049
  3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(/\s+/),
);
