import type { Json } from "../../../src/web/conversation/read.ts";
import type { Frame } from "./windows.ts";

/** The states of an input or a bubble. A cell shows a subject in one state. */
export const states = [
  "idle",
  "focus",
  "filled",
  "refused",
  "busy",
  "offline",
  "answered",
  "skipped",
  "ended",
] as const;
export type State = (typeof states)[number];

/** The possible backgrounds of a cell. */
export const surfaces = ["light", "dark", "image"] as const;
export const roundnesses = ["none", "medium", "large"] as const;
export const directions = ["ltr", "rtl"] as const;
export const widths = [390, 1440] as const;

export type Look = {
  readonly surface: (typeof surfaces)[number];
  /** Defaults to the roundness in the style sheet. */
  readonly roundness: (typeof roundnesses)[number] | undefined;
  readonly direction: (typeof directions)[number];
  readonly width: (typeof widths)[number];
};

/** The look in which every subject is shown once in each of its states. */
export const baseLook: Look = { surface: "light", roundness: undefined, direction: "ltr", width: 390 };

/** A visitor's action in the form. A selector identifies the first visible matching element. */
export type Act =
  | { readonly type: string; readonly into: string }
  | { readonly press: string }
  | { readonly choose: readonly string[]; readonly into: string };

/** A subject of the gallery: bubbles, or an input with a visitor's answer. */
export type Subject = {
  readonly name: string;
  readonly sheet: SheetName;
  /** Bubbles before the input. Defaults to a question of one line. */
  readonly messages?: readonly Json[];
  readonly input?: Json & { readonly type: string };
  /** Further fields of the step. */
  readonly step?: Json;
  /** The fields to fill in, or the element to press in a form that is sent immediately. */
  readonly acts?: readonly Act[];
  /** Whether `acts` also send the answer. */
  readonly actsSend?: boolean;
  /** The bot's theme, in addition to the fields that the look sets. */
  readonly theme?: Json;
  readonly settings?: Json;
  /** Whether the browser's storage contains this chat, and the chat has ended. */
  readonly isRemembered?: boolean;
  readonly states: readonly State[];
  /** An error response that overrides the response of the state. The page shows its text below the chat. */
  readonly service?: "expired" | "overloaded";
  /** Whether the subject is also shown in other looks. */
  readonly isPaired?: boolean;
};

export const sheetNames = [
  "text-bubbles",
  "media",
  "text",
  "fields",
  "choice",
  "rating",
  "pictures",
  "cards",
  "dates",
  "files",
  "composer",
  "chat",
] as const;
export type SheetName = (typeof sheetNames)[number];

export type Cell = {
  readonly subject: Subject;
  readonly state: State;
  readonly look: Look;
  /** By default, the cell is as high as its content. */
  readonly frame?: Frame;
};

/**
 * Returns the name of a cell, such as `rating-stars filled`, or `rating-stars filled, dark none rtl 1440` in another
 * look.
 */
export function cellName({ subject, state, look, frame }: Cell): string {
  if (frame) return `${subject.name} ${state}, ${frame.name}`;
  const { surface, roundness, direction, width } = look;
  const isBase = JSON.stringify(look) === JSON.stringify(baseLook);
  return `${subject.name} ${state}${isBase ? "" : `, ${[surface, roundness, direction, width].filter(Boolean).join(" ")}`}`;
}

/** The data for the script of a cell's page: the responses of the service, and the visitor's actions. */
export type CellPlan = {
  readonly state: State;
  readonly start: Json;
  readonly acts: readonly Act[];
  readonly actsSend: boolean;
  readonly service: "answers" | "refuses" | "hangs" | "offline" | "expired" | "overloaded";
  readonly next: Json;
  readonly refusal: Json;
  /** The session in the format of `GET /sessions/:id`, for a remembered chat. */
  readonly remembered: Json | undefined;
};
