import { useQuery } from "../api/index.ts";
import { type Instance, instance, loadInstance } from "./session.ts";

/** The facts of this service: requested once, at the first use. */
export function useInstance() {
  const known = instance.value;
  const query = useQuery(known ? undefined : "instance", loadInstance);
  return known ? { ...query, value: known } : query;
}

/** The address of a page of the service that is none of the builder's: they are beside the API, which may be at another port. */
export function servicePage({ addresses }: Pick<Instance, "addresses">, path: "/docs" | "/admin/queues"): string {
  return addresses.api.replace(/\/api\/v1$/, "") + path;
}
