import { useQuery } from "../api/index.ts";
import { type Instance, instance, loadInstance } from "../session/session.ts";

/** The features of the service; undefined until it has answered. */
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

/** A service without a configured address derives one from its proxy's headers, and assumes http although the proxy speaks https. */
export function asReached(address: string, page: Pick<Location, "protocol" | "hostname">): string {
  const { protocol, hostname } = new URL(address);
  const isBehindProxy = page.protocol === "https:" && protocol === "http:" && hostname === page.hostname;
  return isBehindProxy ? address.replace("http:", "https:") : address;
}
