import { useQuery } from "../api/index.ts";
import { type Instance, instance, loadInstance } from "../session/session.ts";

/** What the service can do; undefined until it has said so. */
export function useInstance(): Instance | undefined {
  const known = instance.value;
  const { value } = useQuery(known ? undefined : "instance", loadInstance);
  return known ?? value;
}

/** Where chats are served, as this page was reached; undefined until the service has said so. */
export function useChatAddress(): string | undefined {
  const address = useInstance()?.addresses.chat;
  return address === undefined ? undefined : asReached(address, location);
}

/** A service that was not told its address takes what its proxy says of it, and thinks that it is on http where the proxy speaks https. */
export function asReached(address: string, page: Pick<Location, "protocol" | "hostname">): string {
  const { protocol, hostname } = new URL(address);
  const isBehindProxy = page.protocol === "https:" && protocol === "http:" && hostname === page.hostname;
  return isBehindProxy ? address.replace("http:", "https:") : address;
}
