import type { ComponentType } from "preact";

/** The properties of a screen: the parts of its address. */
export type ScreenProps = { readonly params: Readonly<Record<string, string>> };

/** A screen: its path, its frame, and its loader, which runs when it first opens. */
export type ScreenEntry = {
  /** The screen's address below `/app`, such as `/bots/:botId/results/:resultId?`. */
  readonly pattern: string;
  /** `workspace`: beside the side bar; `none`: alone in the window, with a frame of its own. */
  readonly frame: "workspace" | "none";
  /** Whether the screen is shown to people who are not signed in. */
  readonly isPublic?: boolean;
  readonly load: () => Promise<{ readonly default: ComponentType<ScreenProps> }>;
};
