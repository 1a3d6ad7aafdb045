import type { Change, DraftDocument } from "../editing/changes/change.ts";
import type { FindingIds } from "./finding-ids.ts";
import type { LintedFlow } from "./linted-flow.ts";

/**
 * The severity of a finding. `error`: every chat fails immediately, so publishing is rejected. `warning`: most probably
 * a mistake. `info`: useful to know.
 */
export const severities = ["error", "warning", "info"] as const;
export type Severity = (typeof severities)[number];

/** A finding of a rule. The severity and advice of the rule apply unless the finding overrides them. */
export type Found = FindingIds & {
  /** The path of the finding, such as `groups[2].blocks[0]`. */
  readonly path: string;
  /** A sentence that describes the problem. */
  readonly message: string;
  readonly severity?: Severity;
  /** A sentence that tells the author how to solve the problem. */
  readonly advice?: string;
  /** For a rule with a fix: whether the fix applies to this finding. Defaults to true. */
  readonly isFixable?: boolean;
};

/** A fix for findings that have exactly one solution. A fix changes nothing else for visitors. */
export type Fix = {
  /** A sentence for the documentation that describes the fix and begins with a verb. */
  readonly about: string;
  /**
   * Returns the changes that fix the given findings of a draft. If the draft has changed, only the changes that still
   * apply are returned.
   */
  changes(draft: DraftDocument, findings: readonly FixedFinding[], tools: { newId(): string }): Change[];
};

export type FixedFinding = FindingIds & { readonly path: string };

/**
 * Whether a change can refer to the finding's block or event. In drafts that were not written through the API, events
 * may have no id or a number as id.
 */
export function hasId({ blockId, eventId }: FindingIds): boolean {
  return typeof (blockId ?? eventId) === "string";
}

export type Rule = {
  /** The name in findings, suppressions and the documentation, which must not change between releases. */
  readonly name: string;
  readonly severity: Severity;
  /** A description for the documentation: the rule's findings, why they matter, and exceptions. */
  readonly about: string;
  /** A sentence that explains how to fix a finding. */
  readonly advice: string;
  /** Whether the rule's findings depend on the bots that link to this bot. */
  readonly dependsOnLinks?: true;
  /** Whether some of the rule's findings depend on facts about the workspace and its service. */
  readonly needsWorkspace?: true;
  readonly fix?: Fix;
  /**
   * For a rule that reports one finding per flow, at the first position: returns the message if there are several
   * positions.
   */
  together?(count: number): string;
  find(linted: LintedFlow): Iterable<Found>;
};

/** A finding in the format that callers receive. */
export type Finding = FindingIds & {
  readonly rule: string;
  /** The title of the block's group. */
  readonly groupTitle?: string;
  /** The display name of the block's type. */
  readonly blockName?: string;
  readonly severity: Severity;
  readonly path: string;
  readonly message: string;
  readonly advice: string;
  /** Whether the finding can be fixed without a decision by the author. */
  readonly isFixable?: true;
  /** The documentation of the rule, as a path relative to the repository. */
  readonly help: string;
};
