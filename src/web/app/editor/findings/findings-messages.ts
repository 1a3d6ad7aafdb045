import type { Change, DraftDocument } from "../../../../core/editing/changes/change.ts";
import type { Delta } from "../../../../core/editing/changes/delta.ts";
import type { Answered, Report } from "../../../../core/lint/draft-linter.ts";
import type { Finding } from "../../../../core/lint/rule.ts";
import type { DrawnTheme } from "../../../../core/theme/drawn-things.ts";

/** The messages from the page to the worker that lints the draft. */
export type ToFindings =
  | { readonly kind: "open"; readonly draft: DraftDocument }
  | { readonly kind: "change"; readonly delta: Delta }
  | { readonly kind: "asked" }
  | { readonly kind: "answered"; readonly answer: Answered }
  | { readonly kind: "drawn"; readonly drawn: DrawnTheme }
  | { readonly kind: "fix"; readonly number: number; readonly wanted: FixWanted };

/** The findings to fix: the given findings, or all findings of a rule. */
export type FixWanted = { readonly findings: readonly Finding[] } | { readonly rule: string };

/** The messages from the worker to the page. `tookMs` is the duration of linting. */
export type FromFindings =
  | { readonly kind: "report"; readonly report: Report; readonly tookMs: number }
  | { readonly kind: "fixed"; readonly number: number; readonly changes: readonly Change[] };
