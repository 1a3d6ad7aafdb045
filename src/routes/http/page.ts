import type { Dependencies } from "../../dependencies.ts";
import type { HostKind } from "./hosts.ts";

/** A GET that is no documented operation: a page, a file, metrics. Errors still have the one shape. */
export type Page = {
  readonly path: string;
  readonly host: HostKind;
  respond(deps: Dependencies, request: Request): Response | Promise<Response>;
};
