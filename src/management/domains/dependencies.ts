import type { ManagementDependencies } from "../access/dependencies.ts";
import type { ResolveTxt } from "./domain-proof.ts";

export type DomainDependencies = ManagementDependencies & {
  /** Resolves TXT records, which may contain the proof of a custom domain. */
  readonly resolveTxt: ResolveTxt;
};
