import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { portsOfThisMachine } from "../../limits/allowed-hosts.ts";

/**
 * Whether an address may be connected to; `isHostAllowed` says that the operator listed the host that resolves to it.
 */
export type AddressRule = (address: string, options: { readonly isHostAllowed: boolean }) => boolean;

/** A call that must not be made; the message says why, and never describes the inner network. */
export class RefusedCall extends Error {
  override readonly name = "RefusedCall";
}

/** The lists of an operator: MODEL_SERVERS, the origins of PROVIDER_URLS, and the servers of messengers. */
export type Trusted = "models" | "providers" | "channels";

/**
 * The reason why a call into the inner network is refused: the host is an inner address, or its name resolves to an
 * inner address.
 */
export const notPublic = { address: "This address is not public", host: "The host's address is not public" } as const;

/** The reason why a call to this machine by its name, or to the metadata host of a cloud, is refused. */
export const forbiddenHost = "This host cannot be called";

/** A call to a forbidden host, on any path. */
export class RefusedHost extends RefusedCall {}

/**
 * Public unicast addresses may be called; for listed hosts also the three private IPv4 ranges. All other addresses are
 * refused: loopback, link-local (cloud metadata), carrier-grade NAT, multicast, unique-local, mapped and tunnelled
 * forms.
 */
export const isPublicAddress: AddressRule = (address, { isHostAllowed }) => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return isPublic(parsed) || (isHostAllowed && isPrivate(parsed));
  if (!(parsed instanceof ipaddr.IPv6)) return false;
  // Networks without IPv4 reach it through NAT64, so the embedded address decides.
  if (parsed.match(wellKnownNat64)) return isPublic(new ipaddr.IPv4(parsed.toByteArray().slice(12)));
  return parsed.range() === "unicast" && parsed.match(globalUnicast);
};

/**
 * Addresses of servers that the operator lists by their origin may also be on this machine or any inner network.
 * Link-local addresses stay refused, and so do the addresses at which clouds serve their keys.
 */
export const isTrustedAddress: AddressRule = (address) => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (metadataAddresses.has(parsed.toString())) return false;
  return ["unicast", "loopback", "private", "uniqueLocal", "carrierGradeNat"].includes(parsed.range());
};

/**
 * The URL of a call, or of a redirect from `base`. Throws a RefusedCall unless it is valid, except for its host's
 * addresses, which are checked later. For `trustedOrigins` any host and port is valid.
 */
export function readTarget(address: string, base?: URL, trustedOrigins?: ReadonlySet<string>): URL {
  const url = URL.parse(address, base?.href);
  if (!url) throw new RefusedCall("This is not a valid URL");
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new RefusedCall("Only http and https can be called");
  if (trustedOrigins?.has(url.origin)) return url;
  const host = hostOf(url);
  if (host === "") throw new RefusedCall("The URL names no host");
  if (forbiddenHosts.has(host) || host.endsWith(".localhost")) throw new RefusedHost(forbiddenHost);
  if (forbiddenPorts.has(url.port)) throw new RefusedCall(`Port ${url.port} cannot be called`);
  if (url.host !== base?.host && isIPv4(host) && !isSpelledOut(address, host)) {
    throw new RefusedCall("This spelling of an IP address cannot be called");
  }
  return url;
}

/**
 * Throws a RefusedHost if the host is an IP address that must not be called. Addresses that a name resolves to are
 * checked at the connection.
 */
export function requirePermitted(
  host: string,
  { permits, isHostAllowed }: { readonly permits: AddressRule; readonly isHostAllowed: boolean },
): void {
  if (isIP(host) !== 0 && !permits(host, { isHostAllowed })) throw new RefusedHost(notPublic.address);
}

/** The origins that MODEL_SERVERS lists. */
export function readModelServers(text: string): ReadonlySet<string> {
  return new Set(text.split(",").flatMap((entry) => URL.parse(entry.trim())?.origin ?? []));
}

/** The origins of PROVIDER_URLS, by the names of the providers that they replace. */
export function readProviderUrls(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(",").flatMap((entry): [string, string][] => {
      const [name = "", address = ""] = entry.split("=", 2).map((part) => part.trim());
      const origin = URL.parse(address)?.origin;
      return origin === undefined ? [] : [[name, origin]];
    }),
  );
}

/** The hosts that OUTGOING_ALLOW lists, as `hostOf` writes them. */
export function readAllowedHosts(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/ *, */)
    .filter((entry) => entry !== "" && !entry.includes(":"));
}

/** The origins at the ports of this machine that OUTGOING_ALLOW lists, under both names of this machine. */
export function readOwnMachine(text: string): ReadonlySet<string> {
  return new Set(
    portsOfThisMachine(text).flatMap((port) =>
      ["localhost", "127.0.0.1"].flatMap((host) => [`http://${host}:${port}`, `https://${host}:${port}`]),
    ),
  );
}

/** The host in the form for address look-ups: lower case, without brackets and a last dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/**
 * URLs accept numbers, hexadecimal, octal and full-width digits as IP addresses; honest authors never use these forms.
 */
function isSpelledOut(address: string, host: string): boolean {
  return address.split(/[/\\@:?#\s]/).includes(host);
}

const wellKnownNat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
/** The range that has been allocated so far; the rest of the space is unassigned or special. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

function isPublic(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && address.toString() !== azurePlatform;
}

/** Addresses of AWS over IPv6, of Alibaba, and of Azure. */
const metadataAddresses = new Set(["fd00:ec2::254", "100.100.100.200", "168.63.129.16"]);

/** Within Azure this public address belongs to the platform, and serves every machine its keys. */
const azurePlatform = "168.63.129.16";

function isPrivate(address: ipaddr.IPv4): boolean {
  return address.range() === "private";
}

const forbiddenHosts = new Set(["localhost", "metadata", "metadata.goog", "metadata.google.internal"]);

/**
 * The ports that browsers refuse (Fetch standard, "bad port"): servers of other protocols use them, and some obey an
 * HTTP body.
 */
const forbiddenPorts = new Set(
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139
  143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049
  3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(/\s+/),
);
