import type { Theme } from "../../../core/interpreter/schemas/theme.ts";
import "./small-page.css";

type SmallPageProps = {
  readonly theme: Pick<Theme, "general" | "chat">;
  readonly says: string;
  readonly answers: string;
};

/** A thumbnail of a page with a theme. Hidden from screen readers, because the theme's name is shown next to it. */
export function SmallPage({ theme: { general, chat }, says, answers }: SmallPageProps) {
  const { hostBubbles, guestBubbles, buttons } = chat ?? {};
  const { background, font } = general ?? {};
  const fontFamily = typeof font === "object" ? (font.family ?? "") : (font ?? "");
  return (
    <span
      class="small-page"
      aria-hidden="true"
      style={{ backgroundColor: background?.type === "Color" ? (background.content ?? "") : "", fontFamily }}
    >
      <span style={boxOf(hostBubbles)}>{says}</span>
      <span class="is-guest" style={boxOf(guestBubbles)}>
        {answers}
      </span>
      <span class="is-button" style={boxOf(buttons)} />
    </span>
  );
}

function boxOf(part: NonNullable<Theme["chat"]>["buttons"]) {
  const { backgroundColor = "", color = "", border } = part ?? {};
  return {
    ...{ backgroundColor: String(backgroundColor), color: String(color) },
    borderRadius: `${Math.round(Number(border?.customRoundeness ?? 0) / 2)}px`,
    border: border?.thickness ? `1px solid ${border.color}` : "",
  };
}
