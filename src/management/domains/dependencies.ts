import type { ManagementDependencies } from "../access/dependencies.ts";
import type { ResolveTxt } from "./domain-proof.ts";

/** The dependencies of custom domains. */
export type DomainDependencies = ManagementDependencies & {
  /** Resolves TXT records, which may contain the proof of a custom domain. */
  readonly resolveTxt: ResolveTxt;
};
