import { printJson, type Tools, UsageError } from "../command.ts";
import { knownToken } from "../service.ts";
import type { ServiceOptions } from "../service-options.ts";
import { isDifferent } from "./compare.ts";
import { neverMoved } from "./left.ts";
import { moveWorkspace } from "./move.ts";
import type { Compared, MoveReport } from "./run.ts";
import { openServer } from "./server.ts";
import { chooseWorkspace, listWorkspaces } from "./source.ts";

export type MoveOptions = ServiceOptions & {
  readonly from: string;
  readonly fromWorkspace?: string;
  readonly filesFrom?: string;
  readonly workspace?: string;
  readonly toToken?: string;
  readonly state?: string;
  readonly publish?: true;
  readonly results: boolean;
  readonly members: boolean;
  readonly untrusted?: true;
  readonly json?: true;
};

/** Moves a workspace from another server and reports the outcome. */
export async function runMove(tools: Tools, options: MoveOptions): Promise<void> {
  const {
    from,
    url,
    token,
    json,
    publish = false,
    untrusted = false,
    results,
    members,
    state = "parley-import.json",
  } = options;
  if (token === undefined) throw new UsageError("--token must be the API token for the server in --from.");
  const toToken = options.toToken ?? knownToken(tools.environment, url);
  if (!toToken)
    throw new UsageError("Set the API token for the target service: --to-token, or PARLEY_TOKEN in the environment.");
  const source = openServer(from, { token, option: "--from", filesFrom: options.filesFrom });
  const target = openServer(url, { token: toToken, option: "--url" });
  const theirs = { origin: source.origin, option: "--from-workspace" };
  const ours = { origin: target.origin, option: "--workspace" };
  const place = {
    from: source.origin,
    fromWorkspaceId: chooseWorkspace(await listWorkspaces(source), options.fromWorkspace, theirs),
    to: target.origin,
    workspaceId: chooseWorkspace(await listWorkspaces(target), options.workspace, ours),
  };
  if (place.from === place.to && place.fromWorkspaceId === place.workspaceId) {
    throw new UsageError("This would copy the workspace into itself: choose another with --workspace.");
  }
  const report = await moveWorkspace({
    ...{ source, target, place, statePath: state },
    ...{ isPublishing: publish, isWithResults: results, isWithMembers: members, isUntrusted: untrusted },
    tell: tools.tell,
  });
  const differences = report.compared.filter(isDifferent);
  if (json) printJson(tools, { ...place, ...report, differences });
  else tools.print(reportText(report, differences));
  if (report.problems.length > 0 || differences.length > 0) tools.setExitCode(1);
}

function reportText(report: MoveReport, differences: readonly Compared[]): string {
  const { folders, themes, bots, published, results, newResults, changedResults, problems, left } = report;
  const changed = changedResults === 0 ? "" : ` ${changedResults} other results have changed.`;
  const here = `Copied so far: ${folders} folders, ${themes} theme templates, ${bots} bots and ${results} results, ${newResults} of them in this run.${changed}`;
  const live = published === 0 ? "" : ` ${published} bots were published.`;
  return [
    `${here}${live}`,
    ...listText("Not copied:", problems),
    ...listText(
      "Stays at the source:",
      left.map(({ what, names }) => `${what}: ${names.join(", ")}`),
    ),
    neverMoved,
    ...comparisonText(report.compared, differences),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function listText(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

/** Formats the sums over all bots, and the bots whose numbers differ. */
function comparisonText(compared: readonly Compared[], differences: readonly Compared[]): string[] {
  const kinds = [...new Set(compared.map(({ what }) => what))];
  const width = Math.max(...kinds.map(({ length }) => length));
  const row = (what: string, there: string, here: string) =>
    `  ${what.padEnd(width)} ${there.padStart(9)} ${here.padStart(9)}`;
  const sums = kinds.map((what) => {
    const some = compared.filter((one) => one.what === what);
    const sum = (side: "there" | "here") => some.reduce((all, one) => all + one[side], 0);
    const isEqual = !some.some((one) => differences.includes(one));
    return `${row(what, String(sum("there")), String(sum("here")))}${isEqual ? "" : "   differs"}`;
  });
  const ofBots = differences.flatMap(({ what, bot, there, here }) =>
    bot === null ? [] : [`${JSON.stringify(bot)}, ${what.toLowerCase()}: ${there} there, ${here} here`],
  );
  const verdict =
    differences.length === 0 ? "All counts agree." : "Some counts differ: see above, and run the same command again.";
  return [row("", "there", "here"), ...sums, ...listText("Differences:", ofBots), verdict];
}
