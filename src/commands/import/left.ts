import { at, listAt, textAt } from "../../web/conversation/read.ts";
import { named, type Run } from "./run.ts";
import { RefusedRequest } from "./server.ts";
import { entriesOf } from "./source.ts";

/** The text about objects that no move can transfer, for the end of each report. */
export const neverMoved =
  "Never copied: secrets, credentials, API tokens, transcripts and logs of chats, running chats, the log of drafts, the audit log, and objects in the bin. docs/moving.md has the whole list.";

/** Lists of a workspace that are not moved, with the fields that identify an entry. */
const lists = [
  { what: "Credentials", path: "credentials", list: "credentials", name: "name" },
  { what: "Secrets", path: "secrets", list: "secrets", name: "name" },
  { what: "Event endpoints", path: "event-endpoints", list: "eventEndpoints", name: "url" },
  { what: "Custom domains", path: "custom-domains", list: "customDomains", name: "name" },
  { what: "Invitations", path: "invitations", list: "invitations", name: "email" },
  { what: "Prices of models", path: "model-prices", list: "prices", name: "model" },
] as const;

/** Lists the objects of a Parley workspace that are not moved. Also reports lists that the token may not read. */
export async function findLeft(run: Run): Promise<void> {
  if (!run.isParley) return;
  const { source, place, report } = run;
  const base = `/api/v1/workspaces/${encodeURIComponent(place.fromWorkspaceId)}`;
  for (const { what, path, list, name } of lists) {
    const names = await seen(async () => {
      const found: string[] = [];
      for await (const entry of entriesOf(source, `${base}/${path}`, {}, list))
        found.push(named(textAt(entry, name) ?? ""));
      return found;
    });
    if (names.length > 0) report.left.push({ what, names });
  }
  const budget = await seen(async () => {
    const answer = await source.find(`${base}/model-budget`);
    const amounts = ["day", "month"].flatMap((span) => [
      at(answer, "modelBudget", span, "tokens"),
      at(answer, "modelBudget", span, "money"),
    ]);
    return amounts.some((amount) => typeof amount === "number") ? ["set"] : [];
  });
  if (budget.length > 0) report.left.push({ what: "Budget of models", names: budget });
  const binned = await seen(async () => {
    const answer = await source.find(`${base}/bin`);
    return listAt(answer, "entries").map((entry) => named(textAt(entry, "name") ?? ""));
  });
  if (binned.length > 0) report.left.push({ what: "In the bin", names: binned });
}

async function seen(read: () => Promise<string[]>): Promise<string[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    return [`unknown: ${error.message}`];
  }
}
