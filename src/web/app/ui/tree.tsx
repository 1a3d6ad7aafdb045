import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "./icon.tsx";
import "./tree.css";

export type TreeNode = {
  readonly id: string;
  readonly label: string;
  readonly icon?: string | undefined;
  readonly children?: readonly TreeNode[] | undefined;
  /** Shown at the end of the row, such as a number or a button. */
  readonly trailing?: ComponentChildren;
};

export type TreeProps = {
  readonly label: string;
  readonly nodes: readonly TreeNode[];
  readonly selected?: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly expanded: ReadonlySet<string>;
  readonly onExpand: (id: string, isExpanded: boolean) => void;
  /** Called when something is dropped on a row. */
  readonly onDrop?: ((event: DragEvent, id: string) => void) | undefined;
  /** Called when a row is dragged. Sets the dragged data. */
  readonly onDragStart?: ((event: DragEvent, id: string) => void) | undefined;
  readonly onContextMenu?: ((event: MouseEvent, id: string) => void) | undefined;
};

type Visible = {
  readonly node: TreeNode;
  readonly level: number;
  readonly parent: string | undefined;
  readonly at: number;
  readonly of: number;
};

/**
 * A tree. Up and Down move between the visible rows, Right expands or enters a row, Left collapses or leaves it, and
 * letters find a row.
 */
export function Tree({
  label,
  nodes,
  selected,
  onSelect,
  expanded,
  onExpand,
  onDrop,
  onDragStart,
  onContextMenu,
}: TreeProps) {
  const rows = visibleRows(nodes, expanded);
  const [over, setOver] = useState<string>();
  const focusable = rows.some(({ node }) => node.id === selected) ? selected : rows[0]?.node.id;

  const onKeyDown = (event: KeyboardEvent) => {
    const at = rows.findIndex(({ node }) => node.id === idOf(document.activeElement));
    const row = rows[at];
    if (!row) return;
    const next = keyTarget(event.key, { rows, at, expanded, onExpand });
    if (event.key === "Enter" || event.key === " ") onSelect(row.node.id);
    else if (next === undefined) return;
    else focusRow(event.currentTarget, next);
    event.preventDefault();
  };

  return (
    <div class="app-tree" {...{ role: "tree", "aria-label": label, onKeyDown }}>
      {rows.map(({ node, level, at, of }) => {
        const isParent = (node.children?.length ?? 0) > 0;
        const isOpen = isParent && expanded.has(node.id);
        return (
          <div
            key={node.id}
            class={`app-tree-row ${node.id === selected ? "is-selected" : ""} ${over === node.id ? "is-over" : ""}`}
            role="treeitem"
            {...{ onClick: () => onSelect(node.id) }}
            data-tree-id={node.id}
            aria-level={level}
            aria-posinset={at}
            aria-setsize={of}
            aria-selected={node.id === selected}
            aria-expanded={isParent ? isOpen : undefined}
            tabIndex={node.id === focusable ? 0 : -1}
            style={{ paddingInlineStart: `${(level - 1) * 16 + 4}px` }}
            draggable={onDragStart !== undefined}
            onDragStart={(event) => onDragStart?.(event, node.id)}
            onDragOver={(event) => {
              if (!onDrop) return;
              event.preventDefault();
              setOver(node.id);
            }}
            onDragLeave={() => setOver(undefined)}
            onDrop={(event) => {
              setOver(undefined);
              event.preventDefault();
              onDrop?.(event, node.id);
            }}
            onContextMenu={(event) => onContextMenu?.(event, node.id)}
          >
            <span
              class={`app-tree-toggle ${isOpen ? "is-open" : ""}`}
              aria-hidden="true"
              onClick={(event) => {
                if (!isParent) return;
                event.stopPropagation();
                onExpand(node.id, !isOpen);
              }}
            >
              {isParent && <Icon name="chevron-right" size={14} />}
            </span>
            {node.icon !== undefined && <Icon name={node.icon} />}
            <span class="app-tree-label">{node.label}</span>
            {node.trailing}
          </div>
        );
      })}
    </div>
  );
}

function visibleRows(nodes: readonly TreeNode[], expanded: ReadonlySet<string>, level = 1, parent?: string): Visible[] {
  return nodes.flatMap((node, index) => [
    { node, level, parent, at: index + 1, of: nodes.length },
    ...(expanded.has(node.id) ? visibleRows(node.children ?? [], expanded, level + 1, node.id) : []),
  ]);
}

type Keyed = {
  readonly rows: readonly Visible[];
  readonly at: number;
  readonly expanded: ReadonlySet<string>;
  readonly onExpand: TreeProps["onExpand"];
};

/**
 * Returns the id of the row to which a key moves the focus. A row that the key expands or collapses keeps the focus.
 */
function keyTarget(key: string, { rows, at, expanded, onExpand }: Keyed): string | undefined {
  const row = rows[at];
  if (!row) return undefined;
  const isParent = (row.node.children?.length ?? 0) > 0;
  const isOpen = expanded.has(row.node.id);
  switch (key) {
    case "ArrowDown":
      return rows[at + 1]?.node.id;
    case "ArrowUp":
      return rows[at - 1]?.node.id;
    case "Home":
      return rows[0]?.node.id;
    case "End":
      return rows.at(-1)?.node.id;
    case "ArrowRight":
      if (!isParent) return undefined;
      if (isOpen) return rows[at + 1]?.node.id;
      onExpand(row.node.id, true);
      return row.node.id;
    case "ArrowLeft":
      if (!isParent || !isOpen) return row.parent;
      onExpand(row.node.id, false);
      return row.node.id;
  }
  if (key.length !== 1 || key === " ") return undefined;
  const ordered = [...rows.slice(at + 1), ...rows.slice(0, at)];
  return ordered.find(({ node }) => node.label.toLowerCase().startsWith(key.toLowerCase()))?.node.id;
}

function focusRow(tree: EventTarget | null, id: string): void {
  if (!(tree instanceof HTMLElement)) return;
  const row = [...tree.querySelectorAll<HTMLElement>("[data-tree-id]")].find((each) => each.dataset["treeId"] === id);
  row?.focus();
}

function idOf(element: Element | null): string | undefined {
  return element instanceof HTMLElement ? element.dataset["treeId"] : undefined;
}
