/**
 * The size of the sheet in units, which does not depend on its width on the screen. The picture has `dots` pixels per
 * unit.
 */
export const sheet = { width: 600, height: 240, dots: 2 };

/** A point of a stroke on the sheet, and the width of the line at this point. */
export type Point = { readonly x: number; readonly y: number; readonly width: number };
export type Stroke = readonly Point[];

/** The color of the ink. It is the same in every theme, because the picture must be readable on white paper. */
const ink = "#14213d";

/**
 * Converts a pointer event to a point on the sheet. Pens report their pressure; for other pointers, the line has a
 * constant width.
 */
export function pointAt(event: PointerEvent, { left, top, width, height }: DOMRect): Point {
  const isPen = event.pointerType === "pen" && event.pressure > 0;
  return {
    x: ((event.clientX - left) / width) * sheet.width,
    y: ((event.clientY - top) / height) * sheet.height,
    width: isPen ? 1.5 + event.pressure * 4 : 3,
  };
}

/** Draws strokes, or a name instead of strokes, on an empty sheet. */
export function paint(canvas: HTMLCanvasElement, strokes: readonly Stroke[], name: string): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  context.setTransform(sheet.dots, 0, 0, sheet.dots, 0, 0);
  context.clearRect(0, 0, sheet.width, sheet.height);
  context.strokeStyle = ink;
  context.fillStyle = ink;
  context.lineCap = "round";
  context.lineJoin = "round";
  if (name === "") for (const stroke of strokes) paintStroke(context, stroke);
  else paintName(context, name);
}

/** Draws a smooth line that bends at each point and passes through the middle between two points. */
function paintStroke(context: CanvasRenderingContext2D, [first, ...others]: Stroke): void {
  if (!first) return;
  context.beginPath();
  context.arc(first.x, first.y, first.width / 2, 0, Math.PI * 2);
  context.fill();
  let [from, bend] = [first, first];
  for (const point of others) {
    const middle = { x: (bend.x + point.x) / 2, y: (bend.y + point.y) / 2, width: point.width };
    context.lineWidth = (from.width + point.width) / 2;
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.quadraticCurveTo(bend.x, bend.y, middle.x, middle.y);
    context.stroke();
    [from, bend] = [middle, point];
  }
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(bend.x, bend.y);
  context.stroke();
}

/** Draws the name on the line of the sheet, in the largest size that fits. */
function paintName(context: CanvasRenderingContext2D, name: string): void {
  const room = sheet.width * 0.86;
  const font = (size: number) => `italic ${size}px "Snell Roundhand", "Segoe Script", "Apple Chancery", cursive`;
  context.font = font(largest);
  const size = Math.min(largest, (largest * room) / Math.max(1, context.measureText(name).width));
  context.font = font(size);
  context.textAlign = "center";
  context.fillText(name, sheet.width / 2, sheet.height * baseline, room);
}

const largest = 84;

/** The distance of the name's baseline from the top, as a share of the sheet's height. */
const baseline = 0.7;

/** Returns the sheet as a file with dark ink on white paper. Undefined if the browser cannot draw. */
export function pictureOf(canvas: HTMLCanvasElement): File | undefined {
  const paper = document.createElement("canvas");
  paper.width = canvas.width;
  paper.height = canvas.height;
  const context = paper.getContext("2d");
  if (!context) return undefined;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, paper.width, paper.height);
  context.drawImage(canvas, 0, 0);
  // The file is created synchronously, because the next press may send the form.
  const [, base64 = ""] = paper.toDataURL("image/png").split(",");
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new File([bytes], "signature.png", { type: "image/png" });
}
