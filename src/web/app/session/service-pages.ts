import { useQuery } from "../api/index.ts";
import { type Instance, instance, loadInstance } from "./session.ts";

/** Returns the properties of this instance, which are not requested again once they are loaded. */
export function useInstance() {
  const known = instance.value;
  const query = useQuery(known ? undefined : "instance", loadInstance);
  return known ? { ...query, value: known } : query;
}

/**
 * Returns the URL of a page of the service outside the builder. These pages are on the same origin as the API, whose
 * port may differ from the builder's.
 */
export function servicePage({ addresses }: Pick<Instance, "addresses">, path: "/docs" | "/admin/queues"): string {
  return addresses.api.replace(/\/api\/v1$/, "") + path;
}

/** Returns the URL of the service that serves chats, as this page can reach it; undefined until it is loaded. */
export function useChatAddress(): string | undefined {
  const address = useInstance().value?.addresses.chat;
  return address === undefined ? undefined : asReached(address, location);
}

/**
 * Adjusts the protocol of a URL. A service without a configured URL derives one from its proxy's headers, and may
 * assume HTTP although the proxy uses HTTPS.
 */
export function asReached(address: string, page: Pick<Location, "protocol" | "hostname">): string {
  const { protocol, hostname } = new URL(address);
  const isBehindProxy = page.protocol === "https:" && protocol === "http:" && hostname === page.hostname;
  return isBehindProxy ? address.replace("http:", "https:") : address;
}
