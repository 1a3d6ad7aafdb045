import { defaultColors } from "../../../../core/interpreter/schemas/default-colors.ts";
import { textAt } from "../../../conversation/read.ts";

/** A theme at a glance: what the bot says, what the visitor answers, and a button, on what lies behind them. An ornament. */
export function ThemeSwatch({ theme }: { readonly theme: unknown }) {
  const colors = defaultColors["6.1"];
  const isPlain = (textAt(theme, "general", "background", "type") ?? "Color") === "Color";
  const background = (isPlain && textAt(theme, "general", "background", "content")) || colors.background;
  const of = (box: "hostBubbles" | "guestBubbles" | "buttons") =>
    textAt(theme, "chat", box, "backgroundColor") || colors[box].backgroundColor;
  return (
    <span class="theme-swatch" style={{ backgroundColor: background }} aria-hidden="true">
      <span style={{ backgroundColor: of("hostBubbles") }} />
      <span class="is-guest" style={{ backgroundColor: of("guestBubbles") }} />
      <span class="is-button" style={{ backgroundColor: of("buttons") }} />
    </span>
  );
}
