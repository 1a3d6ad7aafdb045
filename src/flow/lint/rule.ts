import type { FindingIds } from "./finding-ids.ts";
import type { LintedFlow } from "./linted-flow.ts";

/** `error`: the chat breaks for whoever comes there. `warning`: most probably not meant so. `info`: worth knowing. */
export const severities = ["error", "warning", "info"] as const;
export type Severity = (typeof severities)[number];

/** What a rule found. Its severity and its advice are the rule's where it has none of its own. */
export type Found = FindingIds & {
  /** Where, such as `groups[2].blocks[0]`. */
  readonly path: string;
  /** One sentence: what is there. */
  readonly message: string;
  readonly severity?: Severity;
  /** One sentence: what to do. */
  readonly advice?: string;
};

/** One rule of the linter. */
export type Rule = {
  /** Stays as it is from release to release: findings, suppressions and the documentation use it. */
  readonly name: string;
  readonly severity: Severity;
  /** For the documentation: what is looked for, why it matters, and what is not reported. */
  readonly about: string;
  /** One sentence: what to do about a finding. */
  readonly advice: string;
  /** Whether it judges otherwise where other bots are known to link to this one. */
  readonly dependsOnLinks?: true;
  find(linted: LintedFlow): Iterable<Found>;
};

/** A finding as callers get it. */
export type Finding = FindingIds & {
  readonly rule: string;
  readonly severity: Severity;
  readonly path: string;
  readonly message: string;
  readonly advice: string;
  /** Where the rule is documented, relative to the repository. */
  readonly help: string;
};
