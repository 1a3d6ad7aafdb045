import type { ComponentType } from "preact";

/** The properties of a screen, with the parameters of its path. */
export type ScreenProps = { readonly params: Readonly<Record<string, string>> };

/** A screen with its path, its frame, and its loader, which runs when the screen is first opened. */
export type ScreenEntry = {
  /** The path pattern below `/app`, such as `/bots/:botId/results/:resultId?`. */
  readonly pattern: string;
  /** `workspace` shows the screen beside the side bar. `none` shows only the screen, which has its own frame. */
  readonly frame: "workspace" | "none";
  /** Whether people who are not signed in can see the screen. */
  readonly isPublic?: boolean;
  readonly load: () => Promise<{ readonly default: ComponentType<ScreenProps> }>;
};
