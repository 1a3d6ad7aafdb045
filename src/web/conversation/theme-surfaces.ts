import { blend, type Paint, type Rgb, readPaint } from "./colors.ts";
import { at, numberAt, textAt } from "./read.ts";

/** What lies behind the chat: a colour, a picture that nobody knows the colours of, or whatever the style sheet says. */
export type Ground =
  | { readonly kind: "color"; readonly rgb: Rgb }
  | { readonly kind: "picture" }
  | { readonly kind: "open" };

export type BoxName = "hostBubbles" | "guestBubbles" | "inputs" | "buttons";

/** The colours that a theme leaves open, as the style sheet has them on a light page. */
export type Suit = Readonly<Record<BoxName, { readonly background: Rgb; readonly ink: Rgb }>> & {
  readonly ground: Rgb;
  readonly placeholder: Rgb;
};

/** Flows of version 6.1 have other colours than those before them. */
export function suitOf(version: unknown): Suit {
  return version === "6.1" ? suits.new : suits.old;
}

const [white, ink]: [Rgb, Rgb] = [
  [255, 255, 255],
  [32, 32, 32],
];

// The colours that authors know from these versions, but for those that nobody could read.
const suits = {
  new: {
    ground: [248, 248, 248],
    placeholder: [107, 101, 96],
    hostBubbles: { background: white, ink },
    guestBubbles: { background: [194, 65, 12], ink: white },
    inputs: { background: white, ink },
    buttons: { background: [194, 65, 12], ink: white },
  },
  old: {
    ground: white,
    placeholder: [107, 101, 96],
    hostBubbles: { background: [247, 248, 255], ink },
    guestBubbles: { background: [255, 142, 33], ink: [28, 25, 23] },
    inputs: { background: white, ink },
    buttons: { background: [0, 66, 218], ink: white },
  },
} satisfies Record<string, Suit>;

/** What is behind the chat. `backgroundUrl` is what a step says of it. */
export function groundOf(theme: unknown, suit: Suit, backgroundUrl?: string): Ground {
  const page = pageGround(theme, backgroundUrl);
  const over = paintOf(at(theme, "chat", "container"));
  if (!over || over.alpha === 0) return page;
  if (over.alpha === 1) return { kind: "color", rgb: over.rgb };
  const under = underneath(page, suit);
  return under ? { kind: "color", rgb: blend(over, under) } : page;
}

/** What is behind a box's text; undefined where a picture shows through. */
export function surfaceOf(
  theme: unknown,
  name: BoxName,
  { suit, ground }: { suit: Suit; ground: Ground },
): Rgb | undefined {
  const box = at(theme, "chat", name);
  const paint = paintOf(box) ?? { rgb: suit[name].background, alpha: opacityOf(box) ?? 1 };
  if (paint.alpha === 1) return paint.rgb;
  const under = underneath(ground, suit);
  return under && blend(paint, under);
}

/** The colour that is seen under everything; undefined for a picture. */
export function underneath(ground: Ground, suit: Suit): Rgb | undefined {
  switch (ground.kind) {
    case "color":
      return ground.rgb;
    case "open":
      return suit.ground;
    case "picture":
      return undefined;
    default:
      return ground satisfies never;
  }
}

/** How much of what is behind it a box covers. */
export function opacityOf(box: unknown): number | undefined {
  const alpha = readPaint(textAt(box, "backgroundColor"))?.alpha ?? 1;
  const opacity = numberAt(box, "opacity");
  if (opacity === undefined && alpha === 1) return undefined;
  return Math.round(alpha * Math.min(1, Math.max(0, opacity ?? 1)) * 1_000) / 1_000;
}

function pageGround(theme: unknown, backgroundUrl: string | undefined): Ground {
  const background = at(theme, "general", "background");
  const content = backgroundUrl ?? textAt(background, "content");
  switch (textAt(background, "type") ?? "Color") {
    case "Color": {
      const paint = readPaint(content);
      return paint?.alpha === 1 ? { kind: "color", rgb: paint.rgb } : { kind: "open" };
    }
    case "Image":
      return content ? { kind: "picture" } : { kind: "open" };
    default:
      return { kind: "open" };
  }
}

function paintOf(box: unknown): Paint | undefined {
  const paint = readPaint(textAt(box, "backgroundColor"));
  return paint && { rgb: paint.rgb, alpha: opacityOf(box) ?? 1 };
}
