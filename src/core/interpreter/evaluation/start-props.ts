import type { BlockRegistry } from "../program/block.ts";
import type { Produced, StartProps } from "../program/outcome.ts";
import type { Program } from "../program/program.ts";
import { readTag } from "../rich-text/text-of-html.ts";

/**
 * Returns the action that loads the flow's scripts and head elements into the page of a live chat. In a preview,
 * nothing is loaded, and a log entry names the omitted scripts.
 */
export function loadStartProps(program: Program, context: { isLive: boolean; blocks: BlockRegistry }): Produced {
  const { props, names } = startPropsOf(program, context.blocks);
  if (names.length === 0) return {};
  if (context.isLive) return { actions: [{ type: "startPropsToInject", startPropsToInject: props }] };
  const description = `${names.join(", ")} ${names.length === 1 ? "is" : "are"} not enabled in Preview mode`;
  return { logs: [{ status: "info", description }] };
}

/** The scripts and head elements of a flow. `names` are listed in the log of a preview. */
type Found = { readonly props: StartProps; readonly names: readonly string[] };

const found = new WeakMap<Program, Found>();

function startPropsOf(program: Program, blocks: BlockRegistry): Found {
  const known = found.get(program);
  if (known) return known;
  const props = findStartProps(program, blocks);
  found.set(program, props);
  return props;
}

function findStartProps({ flow, settings }: Program, blocks: BlockRegistry): Found {
  const customHeadCode = withoutBareText(settings.metadata?.customHeadCode ?? "");
  const gtmId = settings.metadata?.googleTagManagerId;
  const names = [...(customHeadCode ? ["Custom head code"] : []), ...(gtmId ? ["Google Tag Manager"] : [])];
  const stored = flow.groups.flatMap((group) => group.blocks ?? []);
  const wanted: StartProps[] = [];
  for (const { type, startProps } of blocks.values()) {
    if (!startProps) continue;
    const ofType = stored.filter((block) => block.type === type).map(startProps);
    if (ofType.some((props) => Object.keys(props).length > 0)) names.push(type);
    wanted.push(...ofType);
  }
  const googleAnalyticsId = wanted.find((props) => props.googleAnalyticsId)?.googleAnalyticsId;
  const pixelIds = new Set(wanted.flatMap((props) => props.pixelIds ?? []));
  const props: StartProps = {
    ...(customHeadCode && { customHeadCode }),
    ...(gtmId && { gtmId }),
    ...(googleAnalyticsId && { googleAnalyticsId }),
    ...(pixelIds.size > 0 && { pixelIds: [...pixelIds] }),
  };
  return { props, names };
}

/** Removes text outside of elements, because a page's head contains no text. */
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

/**
 * Returns the nesting depth after a part of HTML. `readTag` treats a script or style as hidden up to its closing tag,
 * so the closing tag does not change the depth.
 */
function depthAfter(part: string, name: string, depth: number): number {
  if (name === "script" || name === "style") return depth;
  if (part.startsWith("</")) return Math.max(0, depth - 1);
  return voidElements.has(name) || part.endsWith("/>") ? depth : depth + 1;
}

const voidElements = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
