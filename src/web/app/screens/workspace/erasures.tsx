import { useState } from "preact/hooks";
import { type Answer, call, useAll } from "../../api/index.ts";
import { ListTable, TwoLines, When } from "../../page-parts/lists.tsx";
import { Part } from "../../page-parts/sections.tsx";
import { Badge, Banner, Button, EmptyState } from "../../ui/index.ts";
import erasureWords from "../../words/en/erasures.json";
import { numberText, useWords } from "../../words/index.ts";
import { ErasePerson } from "./erase-person.tsx";

type Receipt = Answer<"GET /api/v1/workspaces/:workspaceId/person-erasures">["personErasures"][number];

/**
 * Lists the receipts of people whose data was erased, and erases the data of another person. Only administrators see
 * the list.
 */
export function Erasures({ workspaceId, isAdmin }: { readonly workspaceId: string; readonly isAdmin: boolean }) {
  const words = useWords(erasureWords);
  const shared = useWords();
  if (isAdmin) return <Receipts workspaceId={workspaceId} />;
  return (
    <Part title={words.title} text={words.text}>
      <Banner text={shared.onlyAdmins} />
    </Part>
  );
}

function Receipts({ workspaceId }: { readonly workspaceId: string }) {
  const words = useWords(erasureWords);
  const [isErasing, setErasing] = useState(false);
  const query = useAll(
    `erasures/${workspaceId}`,
    (page) => call("GET /api/v1/workspaces/:workspaceId/person-erasures", { path: { workspaceId }, query: page }),
    ({ personErasures }) => personErasures,
  );
  return (
    <Part
      title={words.title}
      text={words.text}
      action={<Button label={words.erasePerson} icon="trash-2" onPress={() => setErasing(true)} />}
    >
      <ListTable
        query={query}
        empty={<EmptyState icon="trash-2" title={words.none} text={words.noneText} />}
        label={words.title}
        keyOf={({ id }) => id}
        columns={[
          {
            id: "when",
            label: words.when,
            isMain: true,
            cell: ({ createdAt, variable, match }) => (
              <TwoLines detail={`${variable} · ${match === "folded" ? words.anySpelling : words.exact}`}>
                <When at={createdAt} />
              </TwoLines>
            ),
          },
          { id: "results", label: words.results, align: "end", cell: ({ results }) => numberText(results) },
          { id: "outcome", label: words.outcome, cell: (receipt) => <Outcome of={receipt} /> },
        ]}
      />
      {isErasing && <ErasePerson workspaceId={workspaceId} onErased={query.again} onClose={() => setErasing(false)} />}
    </Part>
  );
}

function Outcome({ of: { outcome } }: { readonly of: Receipt }) {
  const words = useWords(erasureWords);
  if (outcome === "unfinished") return <Badge tone="warning" label={words.unfinished} />;
  return <Badge label={outcome === "nothing_found" ? words.nothingFound : words.erased} />;
}
