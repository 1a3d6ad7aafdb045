import type { Brush, PaintedArea } from "../contract.ts";
import { foldTitle } from "./painter.ts";

/** The smallest letters and the smallest areas in which text is painted, in screen pixels. */
const leastLetters = 10;
const leastShown = 36;

/** Paints a note or a frame for the zoomed-out view. */
export function paintArea(context: CanvasRenderingContext2D, brush: Brush, area: PaintedArea): void {
  const { zoom, colors } = brush;
  const { kind, x, y, width, height, color, isChosen } = area;
  const isFrame = kind === "frame";
  const tint = color === undefined ? undefined : colors.tint(color);
  context.beginPath();
  context.roundRect(x, y, width, height, isFrame ? 14 : 8);
  context.fillStyle = tint?.ground ?? colors.veil;
  context.globalAlpha = isFrame && tint ? 0.6 : 1;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = isChosen ? colors.accent : (tint?.edge ?? colors.strong);
  context.lineWidth = (isChosen ? 2.5 : 1) / zoom;
  context.stroke();
  if (width * zoom < leastShown || area.text === "") return;
  context.fillStyle = tint?.ink ?? colors.muted;
  if (isFrame) paintTitle(context, brush, area);
  else paintText(context, brush, area);
}

/** Paints the title above the frame, where cards do not hide it. */
function paintTitle(
  context: CanvasRenderingContext2D,
  { zoom, font }: Brush,
  { x, y, width, text }: PaintedArea,
): void {
  const size = Math.max(14, (leastLetters + 1) / zoom);
  context.font = `600 ${size}px ${font}`;
  context.textBaseline = "alphabetic";
  const [line = ""] = foldTitle(text, { size: size * 1.1, width, most: 1 });
  context.fillText(line, x, y - size * 0.45);
}

/** Paints as much of the text as fits. */
function paintText(context: CanvasRenderingContext2D, { zoom, font }: Brush, area: PaintedArea): void {
  const { x, y, width, height } = area;
  const size = Math.max(13, leastLetters / zoom);
  const inset = Math.min(12, size / 2);
  const lineHeight = size * 1.35;
  const most = Math.floor((height - inset) / lineHeight);
  context.font = `${size}px ${font}`;
  context.textBaseline = "top";
  const lines: string[] = [];
  for (const paragraph of area.text.split("\n")) {
    if (lines.length >= most) break;
    lines.push(...foldTitle(paragraph, { size, width: width - 2 * inset, most: most - lines.length }));
  }
  for (const [index, line] of lines.entries()) context.fillText(line, x + inset, y + inset + index * lineHeight);
}
