import type { Change, DraftDocument } from "../editing/changes/change.ts";
import type { FindingIds } from "./finding-ids.ts";
import type { LintedFlow } from "./linted-flow.ts";

/**
 * `error`: every chat fails immediately, so publishing is refused. `warning`: most probably a mistake. `info`: useful
 * to know.
 */
export const severities = ["error", "warning", "info"] as const;
export type Severity = (typeof severities)[number];

/** A finding of a rule. Severity and advice are the rule's unless the finding has its own. */
export type Found = FindingIds & {
  /** The place, such as `groups[2].blocks[0]`. */
  readonly path: string;
  /** One sentence: the problem. */
  readonly message: string;
  readonly severity?: Severity;
  /** One sentence that tells the author how to solve it. */
  readonly advice?: string;
  /** For a rule with a fix: whether the fix applies to this finding. Absent: it applies. */
  readonly isFixable?: boolean;
};

/** Fixes findings of a rule that have only one solution, and changes nothing else for visitors. */
export type Fix = {
  /** For the documentation: one sentence about what it does, which begins with a verb. */
  readonly about: string;
  /**
   * The changes that fix these findings of a draft, each separately; if the draft has changed since, only the changes
   * that still fit.
   */
  changes(draft: DraftDocument, findings: readonly FixedFinding[], tools: { newId(): string }): Change[];
};

export type FixedFinding = FindingIds & { readonly path: string };

/** Whether a change can name its block or event: in external drafts events have no id, or a number as id. */
export function hasId({ blockId, eventId }: FindingIds): boolean {
  return typeof (blockId ?? eventId) === "string";
}

/** One rule of the linter. */
export type Rule = {
  /** Unchanged from release to release: findings, suppressions and the documentation use it. */
  readonly name: string;
  readonly severity: Severity;
  /** For the documentation: the rule's findings, why they matter, and its exceptions. */
  readonly about: string;
  /** One sentence about how to fix a finding. */
  readonly advice: string;
  /** Whether the rule's findings depend on the bots that link to this one. */
  readonly dependsOnLinks?: true;
  /** Whether some of the rule's findings depend on facts of the workspace and its service. */
  readonly needsWorkspace?: true;
  readonly fix?: Fix;
  /**
   * For a rule with one finding for each flow, at the first place: the finding's message if there are several places.
   */
  together?(count: number): string;
  find(linted: LintedFlow): Iterable<Found>;
};

/** A finding as callers get it. */
export type Finding = FindingIds & {
  readonly rule: string;
  /** The title of the block's group. */
  readonly groupTitle?: string;
  /** The name of the block's type for authors. */
  readonly blockName?: string;
  readonly severity: Severity;
  readonly path: string;
  readonly message: string;
  readonly advice: string;
  /** Whether the finding can be fixed without a choice. */
  readonly isFixable?: true;
  /** Where the rule is documented, relative to the repository. */
  readonly help: string;
};
