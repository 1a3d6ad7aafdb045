export type { Done, Editor } from "./editor.ts";
export { type Finding, type Findings, findingsIn } from "./findings/findings.ts";
export type { Present } from "./live.ts";
export { type OpenBot, openEditor } from "./open.ts";
export type { Decision } from "./working-copy/decisions.ts";
export type { Held, Step } from "./working-copy/replica.ts";
