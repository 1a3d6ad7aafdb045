import { useQuery } from "../api/index.ts";
import { type Instance, instance, loadInstance } from "./session.ts";

/** The facts of this service: requested once, at the first use. */
export function useInstance() {
  const known = instance.value;
  const query = useQuery(known ? undefined : "instance", loadInstance);
  return known ? { ...query, value: known } : query;
}

/**
 * The address of a page of the service outside the builder: these pages are beside the API, which may be at another
 * port.
 */
export function servicePage({ addresses }: Pick<Instance, "addresses">, path: "/docs" | "/admin/queues"): string {
  return addresses.api.replace(/\/api\/v1$/, "") + path;
}

/** The address that serves chats, as seen from this page; undefined until the service has answered. */
export function useChatAddress(): string | undefined {
  const address = useInstance().value?.addresses.chat;
  return address === undefined ? undefined : asReached(address, location);
}

/**
 * A service without a configured address derives one from its proxy's headers, and assumes http although the proxy
 * speaks https.
 */
export function asReached(address: string, page: Pick<Location, "protocol" | "hostname">): string {
  const { protocol, hostname } = new URL(address);
  const isBehindProxy = page.protocol === "https:" && protocol === "http:" && hostname === page.hostname;
  return isBehindProxy ? address.replace("http:", "https:") : address;
}
