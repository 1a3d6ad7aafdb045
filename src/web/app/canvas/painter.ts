import type { Colors } from "./colors.ts";
import type { Box, Card, EdgeShape, Point } from "./contract.ts";
import { sizes } from "./geometry.ts";
import { drawRoute } from "./routing.ts";
import { textWidth } from "./text-width.ts";

/** What is painted, and how each thing looks; a look that is absent is the plain one. */
export type Picture = {
  readonly cards: readonly Card[];
  readonly edges: readonly EdgeShape[];
  readonly zoom: number;
  readonly colors: Colors;
  readonly font: string;
  lookOf(card: Card): CardLook;
  toneOf(edge: EdgeShape): string | undefined;
};

export type CardLook = {
  readonly isChosen?: boolean;
  /** Of its frame, where something is marked on it. */
  readonly tone?: string;
  /** Of its title, as its author gave it. */
  readonly color?: string;
  /** How grave the gravest finding is. */
  readonly found?: string;
};

/** Cards that are narrower than this on the screen have no title: it could not be read. */
const leastTitled = 30;
/** From this size on a row's text is painted, and else a bar as long as it. */
const leastText = 7.5;

/** Paints a part of a flow in world coordinates; lines and titles are as thick and high on the screen however far away they are. */
export function paint(context: CanvasRenderingContext2D, picture: Picture): void {
  paintEdges(context, picture);
  for (const card of picture.cards) paintCard(context, card, picture);
}

function paintEdges(context: CanvasRenderingContext2D, { edges, zoom, colors, toneOf }: Picture): void {
  const byTone = new Map<string, EdgeShape[]>();
  for (const edge of edges) {
    const tone = toneOf(edge) ?? (edge.toCardId === undefined ? colors.danger : colors.strong);
    const list = byTone.get(tone);
    if (list) list.push(edge);
    else byTone.set(tone, [edge]);
  }
  for (const [tone, list] of byTone) {
    context.strokeStyle = tone;
    context.lineWidth = (tone === colors.strong ? 1 : 1.75) / zoom;
    context.beginPath();
    for (const { route } of list) drawRoute(route, context);
    context.stroke();
  }
}

function paintCard(context: CanvasRenderingContext2D, card: Card, picture: Picture): void {
  const { zoom, colors, lookOf } = picture;
  const { isChosen = false, tone, color, found } = lookOf(card);
  const { x, y, width, height } = card.box;
  const radius = card.kind === "event" ? height / 2 : 10;
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
  context.fillStyle = colors.surface;
  context.fill();
  if (color !== undefined) {
    context.fillStyle = color;
    context.fillRect(x + radius, y, width - 2 * radius, 4);
  }
  context.strokeStyle = isChosen ? colors.accent : (tone ?? colors.line);
  context.lineWidth = (isChosen || tone !== undefined ? 2 : 1) / zoom;
  context.stroke();
  const free = paintTitle(context, card, picture);
  paintRows(context, card, picture, free);
  if (found !== undefined) paintDot(context, { x: x + width - 10 / zoom, y: y + 10 / zoom }, 4 / zoom, found);
}

/** The title in as many lines as there is room for, never smaller than can be read. Gives where it ends. */
function paintTitle(context: CanvasRenderingContext2D, { box, title }: Card, { zoom, colors, font }: Picture): number {
  const shown = box.width * zoom;
  if (shown < leastTitled) return box.y;
  const size = Math.max(shown < 60 ? 9 : 11, 13 * zoom);
  const inset = Math.max(4, 12 * zoom);
  const lineHeight = size * 1.2;
  const room = Math.max(1, Math.min(3, Math.floor((box.height * zoom - inset) / lineHeight)));
  // Bold letters are a tenth wider.
  const lines = foldTitle(title, { size: size * 1.1, width: shown - 2 * inset, most: room });
  context.font = `600 ${size / zoom}px ${font}`;
  context.fillStyle = colors.text;
  context.textBaseline = "middle";
  const height = Math.max(sizes.title, (lines.length * lineHeight + inset) / zoom);
  const first = box.y + (height - ((lines.length - 1) * lineHeight) / zoom) / 2;
  for (const [index, line] of lines.entries())
    context.fillText(line, box.x + inset / zoom, first + (index * lineHeight) / zoom);
  return box.y + height;
}

function paintRows(context: CanvasRenderingContext2D, card: Card, { zoom, colors, font }: Picture, free: number): void {
  const isText = sizes.text.font * zoom >= leastText;
  context.font = `${sizes.text.font}px ${font}`;
  context.fillStyle = isText ? colors.text : colors.line;
  for (const { kind, y, height, text, isNameOnly } of card.rows) {
    const top = card.box.y + y;
    if (top < free) continue;
    const isInner = kind !== "block";
    const left = card.box.x + (isInner ? sizes.text.inset : 14);
    const room = sizes.card - (isInner ? sizes.text.inset : 14) - 24;
    if (isText) {
      context.fillStyle = isInner || isNameOnly ? colors.muted : colors.text;
      const [line = ""] = foldTitle(text, { size: sizes.text.font, width: room, most: 1 });
      context.fillText(line, left, top + height / 2);
      continue;
    }
    // A row that waits for an answer stands out, as its items do.
    context.fillStyle = isInner ? colors.soft : colors.line;
    context.fillRect(left, top + height / 2 - 5, Math.min(room, textWidth(text, 12, room)), 10);
  }
}

function paintDot(context: CanvasRenderingContext2D, { x, y }: Point, radius: number, color: string): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
}

/** A title in lines that fit, broken between words; what has no room ends in dots. */
export function foldTitle(
  title: string,
  { size, width, most }: { readonly size: number; readonly width: number; readonly most: number },
): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of title.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line === "" || textWidth(longer, size) <= width) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
  }
  lines.push(line);
  const shown = lines.slice(0, most);
  const last = shown.length - 1;
  return shown.map((one, index) => {
    const isCut = (index === last && lines.length > most) || textWidth(one, size) > width;
    return isCut ? cut(one, size, width) : one;
  });
}

function cut(text: string, size: number, width: number): string {
  const room = width - size * 0.9;
  let end = text.length;
  while (end > 1 && textWidth(text.slice(0, end), size) > room) end--;
  return `${text.slice(0, end).trimEnd()}…`;
}

/** Sets a context so that a part of the world fills its canvas. */
export function aim(context: CanvasRenderingContext2D, box: Box, scale: number): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  context.setTransform(scale, 0, 0, scale, -box.x * scale, -box.y * scale);
}
