import { isIP } from "node:net";

/**
 * Whether an entry of OUTGOING_ALLOW can allow a call. An entry is a host of the internal network, or a port of the
 * machine that Parley runs on, as in `localhost:3001`. Other entries are rejected at startup.
 */
export function isAllowable(entry: string): boolean {
  const port = portOfThisMachine(entry);
  if (port !== undefined) return port >= firstPort && port <= lastPort;
  if (!/^[a-z0-9_.-]+$/i.test(entry)) return false;
  if (/^((.*\.)?localhost|metadata(\.goog|\.google\.internal)?)\.?$/i.test(entry)) return false;
  // An entry of numbers is an IP address in some notation. Only addresses of the internal network need to be allowed.
  return !/^(0x[0-9a-f]*|\d+)(\.(0x[0-9a-f]*|\d+))*\.?$/i.test(entry) || isPrivateAddress(entry);
}

/** Returns the ports of this machine that OUTGOING_ALLOW lists. */
export function portsOfThisMachine(text: string): readonly number[] {
  return text.split(",").flatMap((entry) => portOfThisMachine(entry.trim()) ?? []);
}

/** Whether a service that listens on this host is only reachable from this machine. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

type Reach = {
  readonly OUTGOING_ALLOW: string;
  readonly ALLOW_LOOPBACK: "yes" | "no";
  readonly HOST: string;
  readonly PORT: number;
  readonly APP_PORT?: string;
  readonly DATABASE_URL?: string;
};

/**
 * Returns the reason why ports of this machine in OUTGOING_ALLOW must not be allowed: other parties could call them, or
 * they belong to the service or its database. Returns undefined if there is no problem.
 */
export function problemOfPorts(settings: Reach): string | undefined {
  const ports = portsOfThisMachine(settings.OUTGOING_ALLOW);
  if (ports.length === 0) return undefined;
  if (settings.ALLOW_LOOPBACK === "no" && !isLoopbackHost(settings.HOST))
    return "OUTGOING_ALLOW names a port of this machine, which requires HOST=127.0.0.1, or ALLOW_LOOPBACK=yes if other machines can reach Parley.";
  const databases =
    settings.DATABASE_URL?.matchAll(/[@,/](?:localhost|127(?:\.\d+){3}|\[::1\])(?::(\d+))?(?=[,/?]|$)/gi) ?? [];
  // Without APP_PORT, the builder uses the port after PORT.
  const builder = Number(settings.APP_PORT ?? settings.PORT + 1);
  const own = [settings.PORT, builder, ...[...databases].map(([, port = "5432"]) => Number(port))];
  const taken = ports.find((port) => own.includes(port));
  return taken === undefined ? undefined : `OUTGOING_ALLOW names port ${taken}, which Parley or its database uses.`;
}

/** System services such as mail, DNS and SSH use lower ports. */
const firstPort = 1_024;
const lastPort = 65_535;

function portOfThisMachine(entry: string): number | undefined {
  const [, port] = /^(?:localhost|127\.0\.0\.1):(\d{1,5})$/i.exec(entry) ?? [];
  return port === undefined ? undefined : Number(port);
}

function isPrivateAddress(text: string): boolean {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255))
    return false;
  return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(text);
}

/** Whether an entry is an IP address or an address range in CIDR notation. An empty text is valid. */
export function isAddressRange(entry: string): boolean {
  const [address = "", bits = "0", ...rest] = entry.split("/");
  if (entry === "") return true;
  if (isIP(address) === 0 || address.includes("%") || rest.length > 0) return false;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(address) === 6 ? 128 : 32);
}
