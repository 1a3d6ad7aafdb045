import type { ComponentType } from "preact";

/** The properties of a screen: the parts of its address. */
export type ScreenProps = { readonly params: Readonly<Record<string, string>> };

/** A screen: its path, its frame, and how it is loaded when it first opens. */
export type ScreenEntry = {
  /** Its address below `/app`, such as `/bots/:botId/results/:resultId?`. */
  readonly pattern: string;
  /** `workspace`: beside the side bar; `none`: alone in the window, with a frame of its own. */
  readonly frame: "workspace" | "none";
  /** Whether it is shown to those who are not signed in. */
  readonly isPublic?: boolean;
  readonly load: () => Promise<{ readonly default: ComponentType<ScreenProps> }>;
};
