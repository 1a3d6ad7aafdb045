import type { Dependencies } from "../../dependencies.ts";

/**
 * The origin under which a request reached the main listener, where chats are served; for a request to the builder's own one that of the
 * main one, as far as its address tells.
 */
export function mainOrigin({ ports }: Pick<Dependencies, "ports">, { url }: Request): string {
  const { protocol, hostname, port, origin } = new URL(url);
  const isOfBuilder = ports.app !== undefined && ports.main !== undefined && port === String(ports.app);
  return isOfBuilder ? `${protocol}//${hostname}:${ports.main}` : origin;
}
