export { createEditor, type Done, type Editor, type ReadOnly } from "./editor.ts";
export { type Counts, type Finding, type Findings, findingsIn } from "./findings/findings.ts";
export type { Present } from "./live.ts";
export { type OpenBot, openEditor } from "./open.ts";
export type { Decision, Ending } from "./working-copy/decisions.ts";
export type { Clash, Held, Others, Step } from "./working-copy/replica.ts";
export type { SavingState } from "./working-copy/saving.ts";
export type { Undone } from "./working-copy/working-copy.ts";
