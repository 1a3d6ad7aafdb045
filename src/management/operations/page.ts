import type { HostKind } from "../../platform/http/hosts.ts";
import type { Admission } from "../../platform/rate-limits/rate-limits.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import type { FailedRequest } from "./failure.ts";
import type { Method } from "./operation.ts";

/**
 * A route that is not a documented operation: a page, a file, metrics. Its errors have the same shape as the errors of
 * operations.
 */
export type Page<Deps = ManagementDependencies> = {
  /** The default is GET. */
  readonly method?: Method;
  readonly path: string;
  readonly host: HostKind;
  /** Whether pages of any origin may read the page (CORS). */
  readonly isReadAnywhere?: boolean;
  /**
   * Whether people enter their token on this page. Such a page is not served at bots' domains, where authors' code
   * shares the origin.
   */
  readonly takesToken?: boolean;
  respond(deps: Deps, request: Request, place: Place): Response | Promise<Response>;
};

/** The request for a page. Its functions use `this`, so they must not be detached from the object. */
export type Place = {
  readonly params: Readonly<Record<string, unknown>>;
  /** Returns the host in the visitor's address. */
  host(this: Pick<Place, "host">): string;
  /** Whether pages of this kind are served at the host of the request. */
  isAnswered(this: Place, kind: HostKind): boolean;
  /** Returns the rate limits for this request. */
  admission(this: Place, options: { readonly isPatient: boolean }): Admission;
  /** The request as responses and logs describe it: its id, method and route. */
  readonly known: FailedRequest;
};
