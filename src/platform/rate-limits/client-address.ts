import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/** The network origin of a request. */
export type ClientAddress = {
  /**
   * The key for limits by address: a public IPv4 address, or the /64 prefix of an IPv6 address. Absent if the address
   * is unknown or not public.
   */
  readonly address: string | undefined;
  /** Whether the request comes directly from this machine, and not through a proxy on this machine. */
  readonly isThisMachine: boolean;
  /** The address if it belongs to this machine, even if a proxy reports it. */
  readonly own?: string;
};

/** The value for a connection without a known address. */
export const unknownAddress: ClientAddress = { address: undefined, isThisMachine: false };

/** Returns a function that checks whether an address belongs to one of the TRUSTED_PROXIES. */
export function proxyList(text: string): (address: string) => boolean {
  const entries = text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  if (entries.length === 0) return () => false;
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    // A dual-stack socket reports an IPv4 address as ::ffff:10.0.0.1.
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
    return list.check(plain, isIP(plain) === 6 ? "ipv6" : "ipv4");
  };
}

/**
 * The limits of the cache, for its entries and for the characters of a key. Only the last `maxHops` hops of
 * `X-Forwarded-For` are read.
 */
const maxKept = 2_000;
const maxKeptCharacters = 200;
const maxHops = 20;

/**
 * Returns a function that reads a client's address from the socket. If the socket's address is a trusted proxy, the
 * function reads `X-Forwarded-For` and returns the last address that is not a trusted proxy. Any client can forge the
 * addresses before that address.
 */
export function clientAddressReader(trustedProxies: string) {
  const isProxy = proxyList(trustedProxies);
  const ownAddresses = addressesOfThisMachine();
  const kept = new Map<string, ClientAddress>();
  return (socketAddress: string | undefined, forwardedFor: string | null): ClientAddress => {
    if (socketAddress === undefined) return unknownAddress;
    const key = `${socketAddress} ${forwardedFor ?? ""}`;
    const known = kept.get(key);
    if (known) return known;
    const read = readAddress(socketAddress, forwardedFor, { isProxy, ownAddresses });
    if (key.length > maxKeptCharacters) return read;
    if (kept.size >= maxKept) kept.clear();
    kept.set(key, read);
    return read;
  };
}

function readAddress(
  socketAddress: string,
  forwardedFor: string | null,
  { isProxy, ownAddresses }: { isProxy(address: string): boolean; readonly ownAddresses: ReadonlySet<string> },
): ClientAddress {
  const ownOf = (text: string): Pick<ClientAddress, "own"> => {
    const own = parse(text)?.toString() ?? "";
    return ownAddresses.has(own) ? { own } : {};
  };
  if (!isProxy(socketAddress)) {
    const address = publicAddress(socketAddress);
    // If the request comes through a proxy on this machine that is not in the settings, its client can be anywhere.
    if (forwardedFor !== null) return { address, isThisMachine: false };
    return { address, isThisMachine: parse(socketAddress)?.range() === "loopback", ...ownOf(socketAddress) };
  }
  for (const hop of (forwardedFor ?? "").split(",").slice(-maxHops).reverse()) {
    const address = withoutPort(hop.trim());
    if (isIP(address) === 0) return unknownAddress;
    if (!isProxy(address)) return { address: publicAddress(address), isThisMachine: false, ...ownOf(address) };
  }
  return unknownAddress;
}

/** Removes the port that some proxies add, as in `203.0.113.7:4711` and `[2001:db8::7]:4711`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
}

/**
 * Returns an IPv4 address, or the /64 prefix of an IPv6 address, because a household has one IPv4 address but 2^64 IPv6
 * addresses. Returns undefined for addresses that are not public, because they may belong to proxies that are not in
 * the settings.
 */
function publicAddress(text: string): string | undefined {
  const address = parse(text);
  if (!address || notPublic.has(address.range())) return undefined;
  if (address instanceof ipaddr.IPv6)
    return `${address.parts
      .slice(0, 4)
      .map((part) => part.toString(16))
      .join(":")}::/64`;
  return address.toString();
}

/** Returns all addresses of this machine, including loopback addresses. */
function addressesOfThisMachine(): ReadonlySet<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
  return new Set(addresses.flatMap((address) => parse(address)?.toString() ?? []));
}

const notPublic = new Set(["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat", "unspecified"]);

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}
