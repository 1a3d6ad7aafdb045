/**
 * This file contains the default colours of themes as plain values, without TypeBox. They are separate from other
 * defaults because few browsers need these colours.
 */

type BoxColors = { readonly backgroundColor: string; readonly color: string };

/** The colours of a page whose theme sets no colours. */
export type DefaultColors = {
  readonly background: string;
  readonly placeholder: string;
  readonly hostBubbles: BoxColors;
  readonly guestBubbles: BoxColors;
  readonly inputs: BoxColors;
  readonly buttons: BoxColors;
};

/**
 * The default colours of version 6.1 (`6.1`) and of all earlier versions (`6`). In `6`, colours with insufficient
 * contrast were replaced.
 */
export const defaultColors: Readonly<Record<"6" | "6.1", DefaultColors>> = {
  "6.1": {
    background: "#f8f8f8",
    placeholder: "#6b6560",
    hostBubbles: { backgroundColor: "#ffffff", color: "#202020" },
    guestBubbles: { backgroundColor: "#c2410c", color: "#ffffff" },
    inputs: { backgroundColor: "#ffffff", color: "#202020" },
    buttons: { backgroundColor: "#c2410c", color: "#ffffff" },
  },
  "6": {
    background: "#ffffff",
    placeholder: "#6b6560",
    hostBubbles: { backgroundColor: "#f7f8ff", color: "#202020" },
    guestBubbles: { backgroundColor: "#ff8e21", color: "#1c1917" },
    inputs: { backgroundColor: "#ffffff", color: "#202020" },
    buttons: { backgroundColor: "#0042da", color: "#ffffff" },
  },
};

/** The colours of a dark page, in all versions. */
export const darkColors: DefaultColors = {
  background: "#171513",
  placeholder: "#a39b93",
  hostBubbles: { backgroundColor: "#262320", color: "#f2efec" },
  guestBubbles: { backgroundColor: "#fb925c", color: "#2a1206" },
  inputs: { backgroundColor: "#1e1b19", color: "#f2efec" },
  buttons: { backgroundColor: "#fb925c", color: "#2a1206" },
};
