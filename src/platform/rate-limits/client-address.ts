import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/** The origin of a request. */
export type ClientAddress = {
  /**
   * The key for limits by address: a public address, or for IPv6 its /64. Absent if the address is unknown, or not
   * public.
   */
  readonly address: string | undefined;
  /** Whether the request comes from this machine itself, and from no proxy on it. */
  readonly isThisMachine: boolean;
  /** The address if it belongs to this machine, even if a proxy names it. */
  readonly own?: string;
};

/** For a connection without known facts. */
export const unknownAddress: ClientAddress = { address: undefined, isThisMachine: false };

/** Returns whether an address is one of the proxies of TRUSTED_PROXIES. */
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
    // A dual-stack socket reports IPv4 callers as ::ffff:10.0.0.1.
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
    return list.check(plain, isIP(plain) === 6 ? "ipv6" : "ipv4");
  };
}

/** Longer lists of addresses are cut: further hops are not read. */
const maxKept = 2_000;
const maxKeptCharacters = 200;
const maxHops = 20;

/**
 * Reads a client's address from the socket; if that is a trusted proxy's, from `X-Forwarded-For`: the last address in
 * it that is not a trusted proxy. Any client can write the addresses before that one.
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
    // A proxy on this machine that no setting names: the request can come from any client.
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

/** Some proxies write `203.0.113.7:4711` and `[2001:db8::7]:4711`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
}

/**
 * A house has one address of IPv4, and 2^64 of IPv6. Private addresses belong to proxies that the settings do not name.
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

/** Includes loopback addresses. */
function addressesOfThisMachine(): ReadonlySet<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
  return new Set(addresses.flatMap((address) => parse(address)?.toString() ?? []));
}

const notPublic = new Set(["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat", "unspecified"]);

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}
