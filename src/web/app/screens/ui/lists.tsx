import { useState } from "preact/hooks";
import { Badge, Banner, Button, EmptyState, Skeleton, type Sort, Table, Tabs, Tree } from "../../ui/index.ts";
import { Part } from "./part.tsx";

type Row = { readonly id: string; readonly name: string; readonly count: number };

const rows: readonly Row[] = [
  { id: "a", name: "Visitors’ book", count: 1_204 },
  { id: "b", name: "Survey of a name that is longer than there is room for it in any column of this table", count: 12 },
  { id: "c", name: "Quiz", count: 0 },
];

const folders = [
  {
    id: "1",
    label: "Campaigns",
    icon: "folder",
    children: [{ id: "2", label: "2026", icon: "folder", children: [{ id: "3", label: "Spring", icon: "folder" }] }],
  },
  { id: "4", label: "Support", icon: "folder" },
];

/** Tables, trees, tabs, and the states of missing content. */
export function Lists() {
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set(["b"]));
  const [sort, setSort] = useState<Sort>({ column: "name", isDescending: false });
  const [tab, setTab] = useState<"one" | "two">("one");
  const [folder, setFolder] = useState("2");
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set(["1"]));
  return (
    <>
      <Part title="Table">
        <div class="design-container">
          <Table
            label="Bots"
            columns={[
              {
                id: "name",
                label: "Name",
                isMain: true,
                isSortable: true,
                cell: ({ name }) => <span class="design-cut">{name}</span>,
              },
              { id: "state", label: "State", from: "medium", cell: () => <Badge tone="good">Live</Badge> },
              { id: "count", label: "Chats", align: "end", isSortable: true, cell: ({ count }) => count },
            ]}
            rows={rows}
            keyOf={({ id }) => id}
            nameOf={({ name }) => name}
            sort={sort}
            onSort={setSort}
            selection={selection}
            onSelect={setSelection}
          />
        </div>
      </Part>
      <Part title="Tree">
        <Tree
          label="Folders"
          nodes={folders}
          selected={folder}
          onSelect={setFolder}
          expanded={expanded}
          onExpand={(id, isExpanded) =>
            setExpanded(new Set(isExpanded ? [...expanded, id] : [...expanded].filter((each) => each !== id)))
          }
          onDrop={() => {}}
        />
      </Part>
      <Part title="Tabs">
        <Tabs
          label="Panels"
          tabs={[
            { id: "one", label: "First", icon: "house" },
            { id: "two", label: "Second", badge: <Badge>3</Badge> },
          ]}
          selected={tab}
          onSelect={setTab}
        >
          <p>The {tab === "one" ? "first" : "second"} panel.</p>
        </Tabs>
      </Part>
      <Part title="Badges and banners">
        <div class="design-row">
          <Badge>Draft</Badge>
          <Badge tone="accent">Changed</Badge>
          <Badge tone="good" icon="circle-check">
            Live
          </Badge>
          <Badge tone="warning" icon="triangle-alert">
            2 warnings
          </Badge>
          <Badge tone="danger" icon="circle-alert">
            In trouble
          </Badge>
        </div>
        <Banner>A sentence.</Banner>
        <Banner tone="good" title="Done">
          Everything was saved.
        </Banner>
        <Banner tone="warning" title="No connection" action={<Button label="Try again" size="s" />}>
          It goes on by itself.
        </Banner>
        <Banner tone="danger">That did not work.</Banner>
      </Part>
      <Part title="Nothing there yet">
        <Skeleton />
        <EmptyState icon="folder-open" title="This folder is empty" text="Drag bots here, or make a new one.">
          <Button label="New bot" icon="plus" />
        </EmptyState>
      </Part>
    </>
  );
}
