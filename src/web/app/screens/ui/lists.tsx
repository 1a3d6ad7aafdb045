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

/** Shows tables, trees, tabs, and the states of missing content. */
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
              { id: "state", label: "State", from: "medium", cell: () => <Badge label="Live" tone="good" /> },
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
            { id: "two", label: "Second", badge: <Badge label="3" /> },
          ]}
          selected={tab}
          onSelect={setTab}
        >
          <p>The {tab === "one" ? "first" : "second"} panel.</p>
        </Tabs>
      </Part>
      <Part title="Badges and banners">
        <div class="design-row">
          <Badge label="Draft" />
          <Badge label="Changed" tone="accent" />
          <Badge label="Live" tone="good" icon="circle-check" />
          <Badge label="2 warnings" tone="warning" icon="triangle-alert" />
          <Badge label="In trouble" tone="danger" icon="circle-alert" />
        </div>
        <Banner text="A sentence." />
        <Banner text="Everything was saved." tone="good" title="Done" />
        <Banner
          text="It goes on by itself."
          tone="warning"
          title="No connection"
          action={<Button label="Try again" size="s" />}
        />
        <Banner text="That did not work." tone="danger" />
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
