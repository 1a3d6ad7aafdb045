import { StartError } from "../../config.ts";

/** One PostgreSQL server. */
export type ServerAddress = { readonly host: string; readonly port: number };

/** Where a database is: behind a Unix socket, or on one of several servers. */
export type DatabaseAddress =
  | { readonly kind: "socket"; readonly folder: string; readonly url: string }
  | { readonly kind: "servers"; readonly servers: readonly ServerAddress[]; readonly url: string };

const usualPort = 5432;

/**
 * Takes an address apart as PostgreSQL's own library does: `postgres://user:password@one:5432,two/database`, or `?host=/folder`
 * for a Unix socket. `url` is what the driver is given: it names one server at most.
 */
export function readAddress(url: string): DatabaseAddress {
  const folder = /[?&]host=(\/[^&]*)/.exec(url)?.[1];
  if (folder !== undefined) {
    return {
      kind: "socket",
      folder: decodeURIComponent(folder),
      url: url.replace(/(?<=[?&])host=\/[^&]*&?/, ""),
    };
  }
  const [, start = "", list = "", end = ""] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const servers = (list === "" ? "localhost" : list).split(",").map(readServer);
  return { kind: "servers", servers, url: `${start}localhost${end}` };
}

function readServer(text: string): ServerAddress {
  const [, bracketed, plain, port] = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port ?? usualPort) > 65_535 || port === "0") {
    throw new StartError("DATABASE_URL must name hosts like host:5432, separated by commas.");
  }
  return { host: decodeURIComponent(host), port: Number(port ?? usualPort) };
}
