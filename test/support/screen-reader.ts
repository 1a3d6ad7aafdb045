import type { CDPSession, Page } from "playwright-core";

/** The output of a screen reader: names and roles from the browser's accessibility tree, and live regions. */
export type ScreenReader = {
  /** Runs an action and records the announcements: the focus if it has moved, and each live message. */
  hear(keys: string, act: () => Promise<unknown>): Promise<void>;
  /** Returns the names of all elements with this role, in the order of the tree. */
  namesOf(role: string): Promise<readonly string[]>;
  /** All lines so far: one for each action, and one for each announcement that follows it. */
  readonly lines: readonly string[];
};

export async function listenTo(page: Page, told: () => Promise<readonly string[]>): Promise<ScreenReader> {
  const session = await page.context().newCDPSession(page);
  await session.send("Accessibility.enable");
  const lines: string[] = [];
  let heard = 0;
  let focus = "";
  return {
    lines,
    async hear(keys, act) {
      lines.push(`> ${keys}`);
      await act();
      const said = await told();
      for (const one of said.slice(heard)) lines.push(`  says: ${one.replace(/\u00a0/g, " ").trim()}`);
      heard = said.length;
      const now = await focused(session);
      if (now !== focus) lines.push(`  focus: ${now}`);
      focus = now;
    },
    async namesOf(role) {
      const { nodes } = await session.send("Accessibility.getFullAXTree");
      return nodes.flatMap((node) =>
        node.role?.value === role && !node.ignored ? [String(node.name?.value ?? "")] : [],
      );
    },
  };
}

/** Returns the announcement of the focused element: name, role, states, and the active option. */
async function focused(session: CDPSession): Promise<string> {
  const { result } = await session.send("Runtime.evaluate", { expression: "document.activeElement" });
  if (result.objectId === undefined) return "";
  const own = await read(session, { objectId: result.objectId });
  const option = own.pointsTo === undefined ? undefined : await read(session, { backendNodeId: own.pointsTo });
  return option ? `${own.text}; ${option.text}` : own.text;
}

type Place = { objectId: string } | { backendNodeId: number };

async function read(session: CDPSession, place: Place): Promise<{ text: string; pointsTo: number | undefined }> {
  const { nodes } = await session.send("Accessibility.getPartialAXTree", { ...place, fetchRelatives: false });
  const [node] = nodes;
  const properties = node?.properties ?? [];
  const states = properties.flatMap(({ name, value: { value } }) => {
    if (name === "expanded") return [value === true ? "expanded" : "collapsed"];
    if (name === "level") return [`level ${value}`];
    return spoken.has(name) && value !== false && value !== "false" ? [name] : [];
  });
  const value = node?.value?.value;
  const says = `${value ?? ""}`.trim() === "" || value === node?.name?.value ? "" : `“${value}”`;
  const parts = [node?.name?.value, node?.role?.value, says, ...states, node?.description?.value];
  return {
    text: parts.filter((part) => part !== undefined && part !== "").join(", "),
    pointsTo: properties.find(({ name }) => name === "activedescendant")?.value.relatedNodes?.[0]?.backendDOMNodeId,
  };
}

const spoken = new Set<string>(["selected", "invalid", "required", "readonly", "disabled", "pressed", "checked"]);
