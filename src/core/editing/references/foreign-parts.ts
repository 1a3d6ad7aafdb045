import { isJsonObject, type JsonObject } from "../../interpreter/flow.ts";
import { parseJsonOr } from "../../interpreter/language/json.ts";
import { objectsIn } from "../changes/things.ts";
import { type Clip, readClip } from "./clipboard.ts";

/**
 * Parses untrusted parts of a flow that were not copied with `copy`: an exported flow, an API response that contains a
 * flow, groups, blocks, or the address of a picture. Returns undefined for any other text.
 */
export function readForeignParts(text: string): Clip | undefined {
  if (pictureAddress.test(text.trim())) return readClip(JSON.stringify(pictureBlock(text.trim())));
  const value = parseJsonOr(text, undefined);
  const parts = partsIn(value) ?? partsIn(isJsonObject(value) ? (value["bot"] ?? value["typebot"]) : undefined);
  if (!parts) return undefined;
  const clip = readClip(JSON.stringify({ ...parts, kind: "parley.flow-parts" }));
  return clip && clip.groups.length + clip.blocks.length > 0 ? clip : undefined;
}

const pictureAddress = /^https?:\/\/[^\s?#]+\.(?:png|jpe?g|gif|webp|avif|svg)(?:[?#]\S*)?$/i;

/** Returns a block that shows the picture at an address, in clip format. */
export function pictureBlock(url: string): object {
  return { kind: "parley.flow-parts", blocks: [{ id: "pasted", type: "image", content: { url } }] };
}

function partsIn(value: unknown): JsonObject | undefined {
  if (Array.isArray(value)) {
    const groups = objectsIn(value).filter(isGroup);
    return groups.length > 0 ? { groups } : { blocks: objectsIn(value).filter(isBlock) };
  }
  if (!isJsonObject(value)) return undefined;
  if (Array.isArray(value["groups"])) {
    const { groups, edges, variables } = value;
    return { groups: objectsIn(groups).filter(isGroup), edges, variables };
  }
  if (isGroup(value)) return { groups: [value] };
  return isBlock(value) ? { blocks: [value] } : undefined;
}

function isGroup(value: JsonObject): boolean {
  return Array.isArray(value["blocks"]);
}

function isBlock(value: JsonObject): boolean {
  return ["content", "options", "items"].some((key) => value[key] !== undefined);
}

/** The maximum length of pasted text. The text of a bubble is shorter; longer text would be a whole document. */
export const mostPastedText = 100_000;

/** Returns a clip with a block that shows a text, with one paragraph per line. */
export function textAsBlock(text: string): Clip | undefined {
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
  const richText = lines.map((line) => ({ type: "p", children: [{ text: line }] }));
  const block = { id: "pasted", type: "text", content: { richText } };
  return readClip(JSON.stringify({ kind: "parley.flow-parts", blocks: [block] }));
}
