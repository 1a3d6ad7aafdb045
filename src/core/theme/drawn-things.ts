/** An element of a page whose rendered colours a browser can check. */
type DrawnThing = {
  /** The path of the element's colour in a theme. */
  readonly path: string;
  /** The selector with which an author's style sheet refers to the element. */
  readonly selector: string;
  readonly what: "text" | "edge";
};

export const drawnThings = {
  page: { path: "theme.chat.container.color", selector: ".typebot-container", what: "text" },
  hostBubbles: { path: "theme.chat.hostBubbles.color", selector: ".typebot-host-bubble", what: "text" },
  guestBubbles: { path: "theme.chat.guestBubbles.color", selector: ".typebot-guest-bubble", what: "text" },
  inputs: { path: "theme.chat.inputs.color", selector: ".typebot-input", what: "text" },
  placeholder: { path: "theme.chat.inputs.placeholderColor", selector: ".text-input::placeholder", what: "text" },
  fieldEdge: { path: "theme.chat.inputs.border.color", selector: ".typebot-input", what: "edge" },
  buttons: { path: "theme.chat.buttons.color", selector: ".typebot-button", what: "text" },
} as const satisfies Readonly<Record<string, DrawnThing>>;

export type DrawnName = keyof typeof drawnThings;
export const drawnNames: readonly DrawnName[] = [
  ...(["page", "hostBubbles", "guestBubbles", "inputs", "placeholder", "fieldEdge", "buttons"] as const),
];

/**
 * The rendered colours of an element as `#rrggbb`. If there are several elements of a kind, the pair with the lowest
 * contrast is used.
 */
export type DrawnPair = { readonly color: string; readonly behind: string };

/** The rendered colours of a theme, as far as they are known. */
export type DrawnPairs = Readonly<Partial<Record<DrawnName, DrawnPair>>>;

/** The rendered colours on light and on dark screens. */
export type DrawnTheme = { readonly light?: DrawnPairs; readonly dark?: DrawnPairs };
