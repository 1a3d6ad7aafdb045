import type { StoredFlow } from "../flow/document.ts";
import { lookDefaults } from "../interpreter/schemas/default-look.ts";
import type { BoxName, ProgressBarTheme, Theme } from "../interpreter/schemas/theme.ts";
import { hexOf } from "./accent.ts";
import { type Background, backgroundOf, boxColor, colorOf, type Palette, paletteOf } from "./backgrounds.ts";
import { contrast, type Rgb, readPaint, rgbOf } from "./colors.ts";
import { type DrawnName, type DrawnPairs, type DrawnTheme, drawnNames, drawnThings } from "./drawn-things.ts";
import { marksOf } from "./marks.ts";
import { sheetRules } from "./sheet-rules.ts";
import { readTheme } from "./stored-theme.ts";
import { darkVariant } from "./variant.ts";

/** Patterns that match the selectors of each part of the page in a style sheet. */
const selectors = {
  page: /\.typebot-(container|chat-view)(?![\w-])|(?<![\w.#-])body(?![\w-])/,
  hostBubbles: /\.(typebot-host-bubble|bubble-typing|slate-)/,
  guestBubbles: /\.typebot-guest-bubble/,
  inputs: /\.(typebot-input|text-input|typebot-selectable)/,
  buttons: /\.(typebot-button|typebot-selectable|send-icon)/,
  bar: /\.typebot-progress-bar/,
} as const;

type Part = keyof typeof selectors;
const parts = ["page", "hostBubbles", "guestBubbles", "inputs", "buttons", "bar"] as const;

/** Two colours of a theme with insufficient contrast. */
export type LowContrast = {
  /** The path of the colour to change, such as `theme.chat.buttons.color`, or the path of the style sheet. */
  readonly path: string;
  readonly message: string;
  /** The selector of an element whose colours come from the author's CSS. */
  readonly selector?: string;
};

/**
 * Finds colours of a theme whose contrast to their background is below the ratios of WCAG 2.2 AA: 4.5 for text, and 3
 * for edges, bars and marks of chosen options.
 *
 * Default colours, colours that depend on variables and colours over a picture are not checked. Parts coloured by
 * custom CSS are checked with the colours that a browser has rendered, if known.
 */
export function findLowContrast(flow: Pick<StoredFlow, "theme" | "version">, drawn: DrawnTheme = {}): LowContrast[] {
  const theme = readTheme(flow.theme);
  const dark = darkVariant(theme);
  const light = lowContrasts(theme, paletteOf(flow.version), drawn.light);
  if (!dark) return light;
  const inDark = lowContrasts(dark, paletteOf(flow.version, { isDark: true }), drawn.dark);
  // A dark variant without a style sheet of its own uses the style sheet of the theme.
  const isShared = theme.dark?.customCss === undefined;
  return [
    ...light,
    ...inDark.map((found) =>
      found.selector !== undefined && isShared
        ? found
        : { ...found, path: found.path.replace("theme.", "theme.dark.") },
    ),
  ];
}

function lowContrasts(theme: Theme, palette: Palette, drawn: DrawnPairs = {}): LowContrast[] {
  const look = { theme, palette, background: backgroundOf(theme, palette) };
  if (!theme.customCss) return byTheme(look, new Set());
  const known = drawnNames.filter((name) => drawn[name]);
  const paths = new Set<string>(known.map((name) => drawnThings[name].path));
  const rest = byTheme(look, colouredBySheet(theme.customCss)).filter(({ path }) => !paths.has(path));
  const alone = byTheme(look, new Set());
  return [...rest, ...known.flatMap((name) => asDrawn(name, drawn, alone))];
}

/**
 * Returns the low-contrast colours of an element as rendered. If the theme alone produces the same colours, they are
 * attributed to the theme, and otherwise to the style sheet.
 */
function asDrawn(name: DrawnName, drawn: DrawnPairs, alone: readonly LowContrast[]): LowContrast[] {
  const { path, selector, what } = drawnThings[name];
  const pair = { what, color: rgbOf(drawn[name]?.color), behind: rgbOf(drawn[name]?.behind) };
  const named = `\`${selector}\``;
  return lowContrast(path, pair).map((found) =>
    alone.some((one) => one.path === path && one.message === found.message)
      ? found
      : { path: "theme.customCss", message: `${found.message} The custom CSS gives ${named} this colour.`, selector },
  );
}

/**
 * Returns the low-contrast colours of a theme. The parts in `own` are skipped because the author's style sheet sets
 * their colours.
 */
function byTheme(look: Look, own: ReadonlySet<Part>): LowContrast[] {
  const { theme } = look;
  const unless = (parts: readonly Part[], found: () => LowContrast[]) =>
    parts.some((part) => own.has(part)) ? [] : found();
  return [
    ...unless(["page"], () => pageText(look)),
    ...boxNames.flatMap((name) => unless([name], () => boxText(name, look))),
    ...unless(["inputs"], () => placeholder(look)),
    ...unless(["page", "inputs"], () => fieldEdge(look)),
    ...unless(["page", "inputs", "buttons"], () => chosenMark(look)),
    ...unless(["bar"], () => progressBar(theme.general?.progressBar)),
  ];
}

/**
 * Returns the parts of a page for which a style sheet sets a colour, a background, a border or a `--typebot-` property.
 */
function colouredBySheet(css = ""): ReadonlySet<Part> {
  const coloured = new Set<Part>();
  for (const { selector, declarations } of sheetRules(css)) {
    if (!/(^|[;\s])(color|background|border|--typebot-)[\w-]*\s*:/i.test(declarations)) continue;
    for (const part of parts) if (selectors[part].test(selector)) coloured.add(part);
  }
  return coloured;
}

const boxNames = ["hostBubbles", "guestBubbles", "inputs", "buttons"] as const;

type Look = { readonly theme: Theme; readonly palette: Palette; readonly background: Background };

function pageText({ theme, palette, background }: Look): LowContrast[] {
  const color = rgbOf(theme.chat?.container?.color);
  return lowContrast("theme.chat.container.color", { what: "text", color, behind: colorOf(background, palette) });
}

function boxText(name: BoxName, look: Look): LowContrast[] {
  const box = look.theme.chat?.[name];
  // If the theme sets no text colour, there is nothing to check, because pages choose a readable text colour
  // themselves.
  const behind = isUnknown(box?.backgroundColor) ? undefined : boxColor(look.theme, name, look);
  return lowContrast(`theme.chat.${name}.color`, { what: "text", color: rgbOf(box?.color), behind });
}

function placeholder(look: Look): LowContrast[] {
  const { inputs } = look.theme.chat ?? {};
  if (isUnknown(inputs?.backgroundColor)) return [];
  const behind = boxColor(look.theme, "inputs", look);
  const color = rgbOf(inputs?.placeholderColor);
  return lowContrast("theme.chat.inputs.placeholderColor", { what: "text", color, behind });
}

/** Finds a field that can be distinguished neither by its fill nor by its border. */
function fieldEdge(look: Look): LowContrast[] {
  const border = look.theme.chat?.inputs?.border;
  const line = rgbOf(border?.color);
  const behind = colorOf(look.background, look.palette);
  const fill = boxColor(look.theme, "inputs", look);
  if (!line || !behind || !fill || contrast(fill, behind) >= edgeRatio) return [];
  const isThere = (border?.thickness ?? lookDefaults.fieldLine) > 0 && border?.opacity !== 0;
  return lowContrast("theme.chat.inputs.border.color", { what: "edge", color: isThere ? line : fill, behind });
}

/**
 * Finds a button colour that is hard to see as the mark of a chosen option. Options are filled like fields, so the mark
 * needs contrast to that fill. Pages use another colour for such a mark.
 */
function chosenMark(look: Look): LowContrast[] {
  const color = rgbOf(look.theme.chat?.buttons?.backgroundColor);
  const { fill, mark, isButtons } = marksOf(look.theme, look);
  if (!color || !fill || isButtons) return [];
  const ground = colorOf(look.background, look.palette);
  const behind = contrast(color, fill) < edgeRatio ? fill : ground;
  return lowContrast("theme.chat.buttons.backgroundColor", { what: "mark", color, behind }).map((found) => ({
    ...found,
    message: `${found.message} Pages use ${hexOf(mark)} for it.`,
  }));
}

function progressBar(bar: ProgressBarTheme | undefined): LowContrast[] {
  if (!bar?.isEnabled) return [];
  const behind = rgbOf(bar.backgroundColor);
  return lowContrast("theme.general.progressBar.color", { what: "edge", color: rgbOf(bar.color), behind });
}

type Pair = { readonly what: keyof typeof subjects; readonly color: Rgb | undefined; readonly behind: Rgb | undefined };

function lowContrast(path: string, { what, color, behind }: Pair): LowContrast[] {
  if (!color || !behind || formerDefaults.has(`${path} ${hexOf(color)} ${hexOf(behind)}`)) return [];
  const needed = what === "text" ? textRatio : edgeRatio;
  const ratio = contrast(color, behind);
  if (ratio >= needed) return [];
  // The ratio is rounded down because 4.46 is too low and must not be displayed as 4.5.
  const [found, on] = [Math.floor(ratio * 10) / 10, hexOf(behind)];
  return [
    {
      path,
      message: `${hexOf(color)} on ${on} has a contrast of ${found}:1. ${subjects[what]} needs ${needed}:1 to be legible for everybody.`,
    },
  ];
}

/**
 * Colour pairs of the default theme before version 6.1. Flows of earlier versions store these pairs, although their
 * authors did not choose them.
 */
const formerDefaults: ReadonlySet<string> = new Set([
  "theme.chat.guestBubbles.color #ffffff #ff8e21",
  "theme.chat.inputs.placeholderColor #9095a0 #ffffff",
]);

const subjects = { text: "Text", edge: "A border or a bar", mark: "The mark of a chosen option" };
const textRatio = 4.5;
const edgeRatio = 3;

/**
 * Whether a colour is a variable, which is known only while a chat runs, or a colour that only browsers can compute.
 */
function isUnknown(color: string | undefined): boolean {
  return typeof color === "string" && color !== "" && readPaint(color) === undefined;
}
