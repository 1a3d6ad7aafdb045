import type { HostKind } from "../../platform/http/hosts.ts";
import type { Admission } from "../../platform/rate-limits/rate-limits.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import type { FailedRequest } from "./failure.ts";
import type { Method } from "./operation.ts";

/**
 * A route that is no documented operation: a page, a file, metrics. Its errors have the same shape as those of
 * operations.
 */
export type Page<Deps = ManagementDependencies> = {
  /** GET unless said. */
  readonly method?: Method;
  readonly path: string;
  readonly host: HostKind;
  /** Whether pages of any origin may read it (CORS). */
  readonly isReadAnywhere?: boolean;
  /**
   * Whether people type their token in here: it is not answered at bots' domains, where authors' code shares the
   * origin.
   */
  readonly takesToken?: boolean;
  respond(deps: Deps, request: Request, place: Place): Response | Promise<Response>;
};

/** Where a page was asked for. Its functions are called on it, not by themselves (`this`). */
export type Place = {
  readonly params: Readonly<Record<string, unknown>>;
  /** The host that the visitor's address names. */
  host(this: Pick<Place, "host">): string;
  /** Whether pages of this kind are answered under that host. */
  isAnswered(this: Place, kind: HostKind): boolean;
  /** The request's way through the rate limits. */
  admission(this: Place, options: { readonly isPatient: boolean }): Admission;
  /** The id of the request in answers and logs. */
  readonly known: FailedRequest;
};
