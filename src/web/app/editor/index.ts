export type { Decision, Ending } from "./decisions.ts";
export { createEditor, type Done, type Editor, type ReadOnly } from "./editor.ts";
export { type Counts, type Finding, type Findings, findingsIn } from "./findings.ts";
export type { Present } from "./live.ts";
export { type OpenBot, openEditor } from "./open.ts";
export type { Clash, Held, Others, Step } from "./replica.ts";
export type { SavingState } from "./saving.ts";
export type { Undone } from "./working-copy.ts";
