import type { Tint } from "../colors.ts";
import type { Box, Brush, Card, EdgeShape, Point } from "../contract.ts";
import { sizes } from "../scene/geometry.ts";
import { drawRoute } from "../scene/routing.ts";
import { textWidth } from "../scene/text-width.ts";

/** The objects to paint, with the look of each card, and the line style of each edge that differs from the default. */
export type Picture = Brush & {
  readonly cards: readonly Card[];
  readonly edges: readonly EdgeShape[];
  lookOf(card: Card): CardLook;
  lineOf(edge: EdgeShape): Line | undefined;
};

/** The style of an edge that differs from the default. Width and dashes repeat the meaning of the colour. */
export type Line = { readonly tone: string; readonly width: number; readonly isDashed?: boolean };

export type CardLook = {
  readonly isChosen?: boolean;
  /** The tone of the card's border if the card or a part of it is marked. */
  readonly tone?: string;
  /** The sign of the mark, which has the same meaning as the tone. */
  readonly sign?: string;
  /** The tint of the title, which the author chose. */
  readonly tint?: Tint;
  /** The highest severity of the findings. Each severity has its own shape. */
  readonly found?: "error" | "warning" | "info";
};

type Finding = NonNullable<CardLook["found"]>;

/** The badges at the end of a title, in screen pixels. */
const badge = { size: 11, gap: 3 } as const;
/** Cards that are narrower than this on the screen have no title, because it would be illegible. */
const leastTitled = 30;
/** The least font size at which the text of a row is painted. Below this size, a bar of the same length is painted. */
const leastText = 7.5;
/** The width of the colour mark at the start of a row, and the least height of its bar, in screen pixels. */
const rowMark = { width: 4, height: 2.5 } as const;

/**
 * Paints a part of a flow in world coordinates. Lines have the same width on the screen at any zoom, and titles stay
 * legible.
 */
export function paint(context: CanvasRenderingContext2D, picture: Picture): void {
  paintEdges(context, picture);
  for (const card of picture.cards) paintCard(context, card, picture);
}

function paintEdges(context: CanvasRenderingContext2D, { edges, zoom, colors, lineOf }: Picture): void {
  const plain: Line = { tone: colors.strong, width: 1 };
  const broken: Line = { tone: colors.danger, width: 1.75, isDashed: true };
  const byLook = new Map<string, { readonly line: Line; readonly list: EdgeShape[] }>();
  for (const edge of edges) {
    const line = lineOf(edge) ?? (edge.toCardId === undefined ? broken : plain);
    const key = `${line.tone} ${line.width} ${line.isDashed}`;
    const known = byLook.get(key);
    if (known) known.list.push(edge);
    else byLook.set(key, { line, list: [edge] });
  }
  for (const { line, list } of byLook.values()) {
    context.strokeStyle = line.tone;
    context.lineWidth = line.width / zoom;
    context.setLineDash(line.isDashed ? [4 / zoom, 3 / zoom] : []);
    context.beginPath();
    for (const { route } of list) drawRoute(route, context);
    context.stroke();
  }
  context.setLineDash([]);
}

function paintCard(context: CanvasRenderingContext2D, card: Card, picture: Picture): void {
  const { zoom, colors, lookOf } = picture;
  const look = lookOf(card);
  const { isChosen = false, tone, tint } = look;
  const { x, y, width, height } = card.box;
  const radius = card.kind === "event" ? height / 2 : sizes.radius;
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
  context.fillStyle = colors.surface;
  context.fill();
  if (tint) {
    context.save();
    context.clip();
    context.fillStyle = tint.ground;
    context.fillRect(x, y, width, Math.min(height, sizes.title));
    context.restore();
  }
  // The default border is darker than on the page, because a pale border around white is invisible when zoomed out.
  context.strokeStyle = isChosen ? colors.accent : (tone ?? tint?.edge ?? colors.strong);
  context.lineWidth = (isChosen ? 2.5 : tone !== undefined ? 2 : 1) / zoom;
  context.stroke();
  const taken = paintBadges(context, card, { ...picture, look });
  const free = paintTitle(context, card, { ...picture, tint, taken });
  paintRows(context, card, picture, free);
}

/** Paints the badges for findings and the sign of a mark at the end of the title. Returns their width on the screen. */
function paintBadges(
  context: CanvasRenderingContext2D,
  { box }: Card,
  { zoom, colors, font, look: { sign, found } }: Brush & { readonly look: CardLook },
): number {
  if (box.width * zoom < leastTitled) return 0;
  const size = Math.min(badge.size, (box.height * zoom) / 2) / zoom;
  const middle = box.y + Math.min(box.height / 2, Math.max(sizes.title / 2, size * 0.75));
  let right = box.x + box.width - 5 / zoom;
  if (sign !== undefined) {
    context.fillStyle = colors.text;
    context.beginPath();
    context.roundRect(right - size, middle - size / 2, size, size, size / 4);
    context.fill();
    context.fillStyle = colors.surface;
    context.font = `700 ${size * 0.9}px ${font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(sign, right - size / 2, middle);
    context.textAlign = "start";
    right -= size + badge.gap / zoom;
  }
  if (found !== undefined) {
    paintFinding(context, { x: right - size / 2, y: middle }, { found, size, colors });
    right -= size + badge.gap / zoom;
  }
  return (box.x + box.width - 5 / zoom - right) * zoom;
}

/** Paints the badge of a finding: a disc for an error, a triangle for a warning, a ring for a hint. */
function paintFinding(
  context: CanvasRenderingContext2D,
  { x, y }: Point,
  { found, size, colors }: Pick<Brush, "colors"> & { readonly found: Finding; readonly size: number },
): void {
  const half = size / 2;
  context.beginPath();
  if (found === "warning") {
    context.moveTo(x, y - half);
    context.lineTo(x + half, y + half * 0.8);
    context.lineTo(x - half, y + half * 0.8);
    context.closePath();
  } else context.arc(x, y, half * 0.85, 0, 2 * Math.PI);
  if (found === "info") {
    context.lineWidth = size / 6;
    context.strokeStyle = colors.muted;
    context.stroke();
    return;
  }
  context.fillStyle = found === "error" ? colors.danger : colors.warning;
  context.fill();
  context.fillStyle = colors.surface;
  context.fillRect(x - size / 14, y - size * 0.22, size / 7, size * 0.3);
  context.fillRect(x - size / 14, y + size * 0.16, size / 7, size / 7);
}

type TitleLook = Brush & { readonly tint: Tint | undefined; readonly taken: number };

/** Paints the title in at most three lines. Returns the y coordinate at which the title ends. */
function paintTitle(context: CanvasRenderingContext2D, { box, title, kind }: Card, look: TitleLook): number {
  const { zoom, colors, font, tint, taken } = look;
  const shown = box.width * zoom;
  if (shown < leastTitled) return box.y;
  const inset = Math.max(4, 12 * zoom);
  const wanted = Math.max(shown < 60 ? 9 : 11, 13 * zoom);
  // An event card is only as high as a title, so its title uses smaller letters instead of being omitted.
  const size = kind === "event" ? Math.min(wanted, Math.max(7, box.height * zoom * 0.8)) : wanted;
  const lineHeight = size * 1.2;
  const room = Math.max(1, Math.min(3, Math.floor((box.height * zoom - inset) / lineHeight)));
  // Bold letters are about 10 % wider.
  const lines = foldTitle(title, { size: size * 1.1, width: shown - 2 * inset - taken, most: room });
  context.font = `600 ${size / zoom}px ${font}`;
  context.fillStyle = tint?.ink ?? colors.text;
  context.textBaseline = "middle";
  const height = Math.min(box.height, Math.max(sizes.title, (lines.length * lineHeight + inset) / zoom));
  const first = box.y + (height - ((lines.length - 1) * lineHeight) / zoom) / 2;
  for (const [index, line] of lines.entries())
    context.fillText(line, box.x + inset / zoom, first + (index * lineHeight) / zoom);
  return box.y + height;
}

function paintRows(context: CanvasRenderingContext2D, card: Card, picture: Picture, free: number): void {
  const { zoom, colors, font } = picture;
  const isText = sizes.text.font * zoom >= leastText;
  // A change of font or colour costs more than painting a bar, so bars set no font, and the marks of families are
  // painted after all bars.
  if (isText) context.font = `${sizes.text.font}px ${font}`;
  const mark = rowMark.width / zoom;
  for (const { kind, family, y, height, text, isNameOnly } of card.rows) {
    const top = card.box.y + y;
    if (top < free) continue;
    const isInner = kind !== "block";
    const left = leftOf(card, isInner);
    const room = sizes.card - (left - card.box.x) - 24;
    if (isText) {
      context.fillStyle = isInner || isNameOnly ? colors.muted : colors.text;
      const [line = ""] = foldTitle(text.replaceAll(/[{}]{2}/g, ""), { size: sizes.text.font, width: room, most: 1 });
      context.fillText(line, left, top + height / 2);
      continue;
    }
    // The bars of items and exits have the soft accent colour, unlike the bar of their block.
    context.fillStyle = isInner ? colors.soft : colors.bar;
    const bar = heightOfBar(height, zoom);
    const start = family ? left + mark : left;
    const rest = room - (start - left);
    context.fillRect(start, top + (height - bar) / 2, Math.min(rest, textWidth(text, 12, rest)), bar);
  }
  for (const { kind, family, y, height } of card.rows) {
    const top = card.box.y + y;
    if (!family || top < free) continue;
    context.fillStyle = colors[family];
    const left = leftOf(card, kind !== "block");
    const [start, high] = isText ? [left - mark - 2, height * 0.6] : [left, heightOfBar(height, zoom)];
    context.fillRect(start, top + (height - high) / 2, mark, high);
  }
}

function leftOf({ box }: Card, isInner: boolean): number {
  return box.x + (isInner ? sizes.text.inset : 14);
}

function heightOfBar(height: number, zoom: number): number {
  return Math.min(height * 0.7, Math.max(10, rowMark.height / zoom));
}

/** Breaks a title between words into at most `most` lines that fit. An ellipsis replaces the remaining text. */
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

/** Clears a context, and sets its transform so that a part of the world fills its canvas. */
export function aim(context: CanvasRenderingContext2D, box: Box, scale: number): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  context.setTransform(scale, 0, 0, scale, -box.x * scale, -box.y * scale);
}
