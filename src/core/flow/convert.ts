import { isJsonObject, isStart, type JsonObject, textAt, valueAt } from "../interpreter/flow.ts";
import type { StoredBlock, StoredEdge, StoredEvent, StoredFlow, StoredGroup } from "./document.ts";

const latestVersion = "6.1";
const httpRequestTypes = new Set(["Webhook", "Zapier", "Make.com", "Pabbly"]);
const filteringActions = new Set(["Get data from sheet", "Update a row"]);

/**
 * Returns how a flow starts: with a start event (version 6 and later), with a `start` block (versions 3 to 5), or not
 * at all. The kind of start determines how the flow is read, regardless of its `version`.
 */
export function startKindOf(flow: Partial<Pick<StoredFlow, "events" | "groups">>): "event" | "block" | "none" {
  if (flow.events?.some(isStart)) return "event";
  return (flow.groups ?? []).some((group) => group.blocks?.some(isStart)) ? "block" : "none";
}

/**
 * Converts a flow of a version before 6, or with a `start` block, to the latest version. A `start` block becomes a
 * start event. Other flows are returned unchanged. Returns undefined for an older flow without a start, which cannot be
 * converted.
 */
export function convertToLatest<Flow extends StoredFlow>(flow: Flow): Flow | undefined {
  const isLatest = Number(flow.version) >= 6;
  switch (startKindOf(flow)) {
    case "event":
      return isLatest ? flow : { ...flow, version: latestVersion };
    case "block":
      return { ...flow, ...convertStart(flow), version: latestVersion };
    case "none":
      return isLatest ? flow : undefined;
  }
}

function convertStart(flow: StoredFlow): Pick<StoredFlow, "events" | "groups" | "edges"> {
  const startGroup = flow.groups.find((group) => group.blocks?.some(isStart));
  const startEdgeId = startGroup?.blocks?.find(isStart)?.outgoingEdgeId;
  const eventId = startGroup?.id ?? "";
  const start: StoredEvent = {
    id: eventId,
    type: "start",
    graphCoordinates: startGroup?.graphCoordinates ?? { x: 0, y: 0 },
    ...(typeof startEdgeId === "string" && { outgoingEdgeId: startEdgeId }),
  };
  const isOld = Number(flow.version) < 5;
  const convert = Number(flow.version) < 4 ? (block: StoredBlock) => convertSheet(convertRequest(block)) : convertSheet;
  return {
    events: [start, ...(flow.events ?? []).filter((event) => event.id !== eventId)],
    groups: flow.groups.flatMap((group) => convertGroup(group, convert)),
    edges: startEdgeFirst(isOld ? flow.edges.filter(isWhole) : flow.edges, startEdgeId, eventId),
  };
}

/** Converts the blocks of a group. Returns no group if it is empty or contains only the start. */
function convertGroup(group: StoredGroup, convert: (block: StoredBlock) => StoredBlock): StoredGroup[] {
  const blocks = (group.blocks ?? []).filter((block) => !isStart(block));
  return blocks.length === 0 ? [] : [{ ...group, blocks: blocks.map(convert) }];
}

function startEdgeFirst(
  edges: readonly StoredEdge[],
  startEdgeId: string | null | undefined,
  eventId: string,
): StoredEdge[] {
  const start = edges.find((edge) => edge.id === startEdgeId);
  if (!start) return [...edges];
  return [{ ...start, from: { eventId } }, ...edges.filter((edge) => edge !== start)];
}

/**
 * Removes the reference of a version 3 block to a request that was stored separately, because Parley does not store
 * such requests. A block without its own request gets an empty request.
 */
function convertRequest(
  block: StoredBlock & { readonly webhookId?: unknown; readonly options?: unknown },
): StoredBlock {
  if (!httpRequestTypes.has(block.type) || !Object.hasOwn(block, "webhookId")) return block;
  const { webhookId, ...rest } = block;
  const options: JsonObject = isJsonObject(block.options) ? block.options : {};
  if (isJsonObject(options["webhook"])) return rest;
  const webhook = { id: typeof webhookId === "string" ? webhookId : "", method: "POST" };
  return Object.assign({ ...rest }, { options: { ...options, webhook } });
}

/**
 * Converts a selection of rows to a filter. Before version 6, rows were selected by comparing a single cell for
 * equality.
 */
function convertSheet(block: StoredBlock & { readonly options?: unknown }): StoredBlock {
  const { options } = block;
  if (block.type !== "Google Sheets" || !isJsonObject(options)) return block;
  if (!filteringActions.has(textAt(options, "action") ?? "")) return block;
  const cell = options["referenceCell"];
  if (!isJsonObject(cell) || isJsonObject(options["filter"])) return block;
  const comparison = {
    id: textAt(cell, "id") ?? block.id,
    column: valueAt(cell, "column"),
    comparisonOperator: "Equal to",
    value: valueAt(cell, "value"),
  };
  return Object.assign({ ...block }, { options: { ...options, filter: { comparisons: [comparison] } } });
}

function isWhole(edge: StoredEdge): boolean {
  return typeof edge.from?.blockId === "string" && typeof edge.to?.groupId === "string";
}
