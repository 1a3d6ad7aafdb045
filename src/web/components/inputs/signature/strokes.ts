/** The pad is a sheet of this many units, whatever its width on the screen; its picture has twice as many dots. */
export const sheet = { width: 600, height: 240, dots: 2 };

/** A point of a stroke on the sheet, and the width of the line at this point. */
export type Point = { readonly x: number; readonly y: number; readonly width: number };
export type Stroke = readonly Point[];

/** The colour of the ink, on white paper in every theme, since the picture must be readable on paper as well. */
const ink = "#14213d";

/**
 * The place of a pointer event on the sheet. Pens report their pressure; for other pointers the line has a constant
 * width.
 */
export function pointAt(event: PointerEvent, { left, top, width, height }: DOMRect): Point {
  const isPen = event.pointerType === "pen" && event.pressure > 0;
  return {
    x: ((event.clientX - left) / width) * sheet.width,
    y: ((event.clientY - top) / height) * sheet.height,
    width: isPen ? 1.5 + event.pressure * 4 : 3,
  };
}

/** Draws strokes, or a name in place of them, on an empty sheet. */
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

/** A smooth line, which bends at each point and passes through the middle between two points. */
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

/** Scaled to the largest size that fits, on the line of the sheet. */
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

/** The distance of the line from the top of the sheet. */
const baseline = 0.7;

/** The sheet as a file: dark ink on white paper. */
export function pictureOf(canvas: HTMLCanvasElement): File | undefined {
  const paper = document.createElement("canvas");
  paper.width = canvas.width;
  paper.height = canvas.height;
  const context = paper.getContext("2d");
  if (!context) return undefined;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, paper.width, paper.height);
  context.drawImage(canvas, 0, 0);
  // Written at once, not in a callback: the next press may send the form.
  const [, base64 = ""] = paper.toDataURL("image/png").split(",");
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new File([bytes], "signature.png", { type: "image/png" });
}
