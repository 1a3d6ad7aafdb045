import { type Query, useQuery } from "../api/index.ts";
import { type Instance, instance, loadInstance } from "./session.ts";

/** What this service is: asked for once, by whoever needs it first. */
export function useInstance(): Query<Instance> {
  const known = instance.value;
  const query = useQuery(known ? undefined : "instance", loadInstance);
  return known ? { value: known, failure: undefined, isLoading: false } : query;
}

/** The address of a page of the service that is none of the builder's: they are beside the API, which may be at another port. */
export function servicePage({ addresses }: Pick<Instance, "addresses">, path: "/docs" | "/admin/queues"): string {
  return addresses.api.replace(/\/api\/v1$/, "") + path;
}
