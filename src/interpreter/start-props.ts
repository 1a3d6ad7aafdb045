import { booleanAt, textAt } from "./flow.ts";
import type { Produced } from "./outcome.ts";
import type { Program } from "./program.ts";
import { readTag } from "./rich-text/text-of-html.ts";

/** What the visitor's page loads before the first message. */
export type StartProps = {
  /** HTML for the page's head: elements only, no text between them. */
  readonly customHeadCode?: string;
  readonly gtmId?: string;
  readonly googleAnalyticsId?: string;
  readonly pixelIds?: readonly string[];
};

/** What a flow wants loaded; undefined when nothing. Looked for once in each program. */
export function startProps(program: Program): StartProps | undefined {
  const kept = found.get(program);
  if (kept !== undefined) return kept ?? undefined;
  const props = lookFor(program);
  found.set(program, props ?? null);
  return props;
}

/** The first action of a live start; previews load nothing, and say so. */
export function startProduced(program: Program, { isLive }: { isLive: boolean }): Produced {
  const props = startProps(program);
  if (!props) return {};
  if (isLive) return { actions: [{ type: "startPropsToInject", startPropsToInject: props }] };
  const names = titles.filter(([key]) => props[key] !== undefined).map(([, title]) => title);
  const description = `${names.join(", ")} ${names.length === 1 ? "is" : "are"} not enabled in Preview mode`;
  return { logs: [{ status: "info", description }] };
}

const titles = [
  ["customHeadCode", "Custom head code"],
  ["gtmId", "Google Tag Manager"],
  ["googleAnalyticsId", "Google Analytics"],
  ["pixelIds", "Pixel"],
] as const;

const found = new WeakMap<Program, StartProps | null>();

function lookFor({ flow }: Program): StartProps | undefined {
  const blocks = flow.groups.flatMap((group) => group.blocks ?? []);
  const ofType = (type: string) => blocks.filter((block) => block.type === type);
  const customHeadCode = withoutBareText(textAt(flow.settings, "metadata", "customHeadCode") ?? "");
  const gtmId = textAt(flow.settings, "metadata", "googleTagManagerId");
  const googleAnalyticsId = ofType("Google Analytics")
    .map(({ options }) => textAt(options, "trackingId"))
    .find(Boolean);
  const pixelIds = ofType("Pixel")
    .filter(({ options }) => booleanAt(options, "isInitSkip") !== true)
    .flatMap(({ options }) => textAt(options, "pixelId") || []);
  const props: StartProps = {
    ...(customHeadCode && { customHeadCode }),
    ...(gtmId && { gtmId }),
    ...(googleAnalyticsId && { googleAnalyticsId }),
    ...(pixelIds.length > 0 && { pixelIds: [...new Set(pixelIds)] }),
  };
  return Object.keys(props).length === 0 ? undefined : props;
}

/** The elements and comments of an HTML text, without what stands between them: a head has no text of its own. */
function withoutBareText(html: string): string {
  let kept = "";
  let depth = 0;
  let position = 0;
  for (;;) {
    const start = html.indexOf("<", position);
    const text = html.slice(position, start < 0 ? html.length : start);
    if (depth > 0) kept += text;
    if (start < 0) return kept;
    const tag = readTag(html, start);
    if (tag.kind === "unended") return kept;
    const part = html.slice(start, tag.end);
    if (tag.kind !== "text" || depth > 0) kept += part;
    if (tag.kind === "tag") depth = depthAfter(part, tag.name, depth);
    position = tag.end;
  }
}

/** Scripts and styles are read with all they hold, so only their closing tags come here. */
function depthAfter(part: string, name: string, depth: number): number {
  if (name === "script" || name === "style") return depth;
  if (part.startsWith("</")) return Math.max(0, depth - 1);
  return voidElements.has(name) || part.endsWith("/>") ? depth : depth + 1;
}

const voidElements = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
