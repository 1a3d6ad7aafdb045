import { StartError } from "../../../config.ts";

/** One PostgreSQL server. As in libpq, a host that begins with "/" is the folder of a Unix socket. */
export type ServerAddress = { readonly host: string; readonly port: number };

/**
 * The address of a database that runs on one of `servers`. `url` is passed to the driver and names at most one server.
 */
export type DatabaseAddress = { readonly servers: readonly ServerAddress[]; readonly url: string };

export const usualPort = 5432;

/**
 * Parses an address in the same format as libpq: `postgres://user:password@one:5432,two/database`, or `?host=/folder`
 * for a Unix socket. Throws a StartError if a host or port is invalid.
 */
export function readAddress(url: string): DatabaseAddress {
  const folder = /[?&]host=(\/[^&]*)/.exec(url)?.[1];
  const [, start = "", list = "", end = ""] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const servers = (list === "" ? "localhost" : list).split(",").map(readServer);
  // The driver's messages show the host of its address. The driver supports neither several hosts nor hosts in
  // brackets, so it gets `localhost` instead.
  const shown = /^[\w.-]+(:\d+)?$/.test(list) ? list : "localhost";
  if (folder === undefined) return { servers, url: `${start}${shown}${end}` };
  const port = servers[0]?.port ?? usualPort;
  const rest = end.replace(/(?<=[?&])host=\/[^&]*&?/, "").replace(/[?&]$/, "");
  return { servers: [{ host: decodeURIComponent(folder), port }], url: `${start}localhost${rest}` };
}

/**
 * Returns the address without its password and without options, except for the folder of a socket. The result is safe
 * to display.
 */
export function withoutPassword(url: string): string {
  const [, start = "", user, rest = "", options = ""] =
    /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^?#]*)(.*)$/s.exec(url) ?? [];
  const folder = /[?&]host=(\/[^&]*)/.exec(options)?.[1];
  return `${start}${user === undefined ? "" : `${user.replace(/:.*/s, "")}@`}${rest}${folder === undefined ? "" : `?host=${folder}`}`;
}

function readServer(text: string): ServerAddress {
  const [, bracketed, plain, port] = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port ?? usualPort) > 65_535 || port === "0") {
    throw new StartError("DATABASE_URL must name hosts like host:5432, separated by commas.");
  }
  return { host: decodeURIComponent(host), port: Number(port ?? usualPort) };
}
