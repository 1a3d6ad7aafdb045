import type { Change, DraftDocument } from "../editing/changes/change.ts";
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
  /** Of a rule with a fix: whether it mends this finding, too. Absent: it does. */
  readonly isFixable?: boolean;
};

/** What mends findings of a rule without a choice, so that nothing else changes for visitors. */
export type Fix = {
  /** For the documentation: what it does, beginning with a verb. */
  readonly about: string;
  /** The changes that mend these findings of a draft, each as if it were the only one; where the draft has moved on, those that still fit. */
  changes(draft: DraftDocument, findings: readonly FixedFinding[], tools: { newId(): string }): Change[];
};

export type FixedFinding = FindingIds & { readonly path: string };

/** Whether a change can say which block or event it is made to: in drafts from elsewhere events have no id, or a number. */
export function hasId({ blockId, eventId }: FindingIds): boolean {
  return typeof (blockId ?? eventId) === "string";
}

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
  /** Whether some of its findings can only be told by who knows the workspace and its service. */
  readonly needsWorkspace?: true;
  readonly fix?: Fix;
  find(linted: LintedFlow): Iterable<Found>;
};

/** A finding as callers get it. */
export type Finding = FindingIds & {
  readonly rule: string;
  readonly severity: Severity;
  readonly path: string;
  readonly message: string;
  readonly advice: string;
  /** Whether it can be mended without a choice. */
  readonly isFixable?: true;
  /** Where the rule is documented, relative to the repository. */
  readonly help: string;
};
