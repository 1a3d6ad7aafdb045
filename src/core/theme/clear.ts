import type { Theme } from "../interpreter/schemas/theme.ts";

const corners = { roundeness: "custom", customRoundeness: 16 } as const;

/**
 * The colours of buttons and of the visitor's messages, with a contrast of 7.8:1 on light pages and 9.6:1 on dark
 * pages.
 */
const main = { backgroundColor: "#1f5c4d", color: "#ffffff" };
const mainOnDark = { backgroundColor: "#8fd6bf", color: "#10251f" };

/**
 * The theme "Clear" of bots from the builder. All values are explicit so that other services display the same theme.
 * Bots without a theme use the defaults of their version.
 */
export const clearTheme = {
  general: {
    header: { isEnabled: true, isRestartShown: true, isSoundShown: true },
    welcome: { isEnabled: true },
    // A system font, so that no request is sent to another host.
    font: { type: "Custom", family: "system-ui" },
    background: { type: "Color", content: "#f6f5f2" },
  },
  chat: {
    hostBubbles: {
      backgroundColor: "#ffffff",
      color: "#22201d",
      border: { ...corners, thickness: 1, color: "#e4e1da" },
    },
    guestBubbles: { ...main, border: corners },
    buttons: { ...main, border: corners },
    inputs: {
      backgroundColor: "#ffffff",
      color: "#22201d",
      placeholderColor: "#6b6560",
      border: { ...corners, thickness: 1, color: "#8c8681" },
    },
  },
  dark: {
    general: { background: { type: "Color", content: "#141614" } },
    chat: {
      hostBubbles: { backgroundColor: "#20231f", color: "#eceeea", border: { color: "#363a34" } },
      guestBubbles: mainOnDark,
      buttons: mainOnDark,
      inputs: {
        backgroundColor: "#20231f",
        color: "#eceeea",
        placeholderColor: "#a6aba3",
        border: { color: "#767c73" },
      },
    },
  },
} as const satisfies Theme;
