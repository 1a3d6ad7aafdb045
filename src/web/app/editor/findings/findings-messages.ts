import type { Change, DraftDocument } from "../../../../core/editing/changes/change.ts";
import type { Delta } from "../../../../core/editing/changes/delta.ts";
import type { Answered, Report } from "../../../../core/lint/draft-linter.ts";
import type { Finding } from "../../../../core/lint/rule.ts";
import type { DrawnTheme } from "../../../../core/theme/drawn-things.ts";

/** The messages of the page to the worker that lints its draft. */
export type ToFindings =
  | { readonly kind: "open"; readonly draft: DraftDocument }
  | { readonly kind: "change"; readonly delta: Delta }
  | { readonly kind: "asked" }
  | { readonly kind: "answered"; readonly answer: Answered }
  | { readonly kind: "drawn"; readonly drawn: DrawnTheme }
  | { readonly kind: "fix"; readonly number: number; readonly wanted: FixWanted };

/** These findings, or all of a rule. */
export type FixWanted = { readonly findings: readonly Finding[] } | { readonly rule: string };

/** The worker's answer. `tookMs` is the time that linting took. */
export type FromFindings =
  | { readonly kind: "report"; readonly report: Report; readonly tookMs: number }
  | { readonly kind: "fixed"; readonly number: number; readonly changes: readonly Change[] };
