import { printJson, type Tools, UsageError } from "../command.ts";
import { knownToken } from "../service.ts";
import type { ServiceOptions } from "../service-options.ts";
import { type MoveReport, moveWorkspace } from "./move.ts";
import { openServer } from "./server.ts";
import { listWorkspaces, onlyOf } from "./source.ts";

export type MoveOptions = ServiceOptions & {
  readonly from: string;
  readonly fromWorkspace?: string;
  readonly workspace?: string;
  readonly toToken?: string;
  readonly state?: string;
  readonly publish?: true;
  readonly results: boolean;
  readonly untrusted?: true;
  readonly json?: true;
};

/** Moves a workspace from another server, and reports the outcome. */
export async function runMove(tools: Tools, options: MoveOptions): Promise<void> {
  const { from, url, token, json, publish = false, untrusted = false, results, state = "parley-import.json" } = options;
  if (token === undefined) throw new UsageError("--token is the API token for the server that --from names.");
  const toToken = options.toToken ?? knownToken(tools.environment);
  if (!toToken)
    throw new UsageError("Say which API token to use here: --to-token, or PARLEY_TOKEN in the environment.");
  const source = openServer(from, { token, option: "--from" });
  const target = openServer(url, { token: toToken, option: "--url" });
  const theirs = { origin: source.origin, option: "--from-workspace" };
  const ours = { origin: target.origin, option: "--workspace" };
  const place = {
    from: source.origin,
    fromWorkspaceId: options.fromWorkspace ?? onlyOf(await listWorkspaces(source), theirs),
    to: target.origin,
    workspaceId: options.workspace ?? onlyOf(await listWorkspaces(target), ours),
  };
  if (place.from === place.to && place.fromWorkspaceId === place.workspaceId) {
    throw new UsageError("This would copy the workspace into itself: name another one with --workspace.");
  }
  const report = await moveWorkspace({
    ...{ source, target, place, statePath: state },
    ...{ isPublishing: publish, isWithResults: results, isUntrusted: untrusted },
    tell: tools.tell,
  });
  if (json) printJson(tools, { ...place, ...report });
  else tools.print(reportText(report));
  if (report.problems.length > 0) tools.setExitCode(1);
}

function reportText({ folders, themes, bots, published, results, newResults, problems }: MoveReport): string {
  const here = `Copied so far: ${folders} folders, ${themes} theme templates, ${bots} bots and ${results} results, ${newResults} of them in this run.`;
  const live = published === 0 ? "" : ` ${published} bots were published.`;
  const left = problems.length === 0 ? "" : `\nNot copied:\n${problems.map((problem) => `  ${problem}\n`).join("")}`;
  return `${here}${live}\n${left}`;
}
