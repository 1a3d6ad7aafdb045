import { existsSync } from "node:fs";
import { StartError } from "../../config.ts";
import { printJson, type Tools } from "../command.ts";
import { type ApplyOptions, applyPlan, type Outcome } from "./apply.ts";
import { makePlan, type Plan, type PlanOptions, type Step } from "./plan.ts";
import { addPlace } from "./project.ts";
import { openWorkspace, type WorkspaceOptions } from "./workspace.ts";

export type DeployOptions = WorkspaceOptions & PlanOptions & ApplyOptions & { readonly apply?: true };

/**
 * Shows the changes that would make an environment match a folder. With `--apply`, makes the changes, unless a problem
 * or a conflict prevents them.
 */
export async function deploy(tools: Tools, name: string, root: string, options: DeployOptions): Promise<void> {
  if (!existsSync(root)) throw new StartError(`${root} does not exist: enter the folder of the bots.`);
  const workspace = await openWorkspace(tools, { name, root }, options);
  const plan = await makePlan(workspace, options);
  const moved = options.force ? [] : plan.steps.filter((step) => step.moved !== undefined);
  const conflicts = plan.steps.filter((step) => step.conflict !== undefined);
  const isRefused = plan.problems.length > 0 || moved.length > 0 || conflicts.length > 0;
  const isApplied = (options.apply ?? false) && !isRefused;
  if (!options.json) printPlan(tools, plan);
  if (isApplied && workspace.isNew) await addPlace(root, workspace.place, workspace.remote.workspaceId);
  const outcomes = isApplied ? await applyPlan(workspace, plan, options) : new Map<string, Outcome>();
  if (options.json) {
    const bots = plan.steps.map(({ livePlan: _, ...step }) => ({ ...step, ...outcomes.get(step.folder) }));
    printJson(tools, { environment: name, isApplied, problems: plan.problems, bots });
  } else if (isApplied) printOutcomes(tools, plan, outcomes);
  for (const problem of plan.problems) tools.tell(problem);
  if (moved.length > 0) {
    tools.tell(
      `${foldersOf(moved)}: changed in "${name}" since the last pull or deploy. Merge these changes into your files first (git stash, parley pull, git stash pop), or overwrite them with --force.`,
    );
  }
  if (conflicts.length > 0) {
    tools.tell(
      `${foldersOf(conflicts)}: the live version in "${name}" differs from the version of the last pull or deploy, because somebody published, rolled back or unpublished the bot, or a canary is running. Publish anyway with --force-live FOLDER, or deploy without --publish.`,
    );
  }
  const unknown = plan.steps.filter(({ livePlan }) => livePlan?.isUnknown);
  if (unknown.length > 0) {
    tools.tell(
      `${foldersOf(unknown)}: the lock file does not contain the live version, because an older parley wrote it. Only the draft is written; --force-live FOLDER publishes it.`,
    );
  }
  const isIncomplete = [...outcomes.values()].some((outcome) => "message" in outcome);
  if (isRefused || isIncomplete) tools.setExitCode(1);
  else if (!isApplied && !isNothing(plan)) tools.tell("Nothing was changed. Use --apply to apply the plan.");
}

function foldersOf(steps: readonly Step[]): string {
  return steps.map(({ folder }) => folder).join(", ");
}

const signs = { create: "+", update: "~", remove: "-", extra: "?", unchanged: " " };

function printPlan({ print }: Tools, plan: Plan): void {
  for (const { folder, action, changes, moved, publishes, left, conflict } of plan.steps) {
    const isNothing = action === "unchanged" && !publishes && changes.length === 0 && conflict === undefined;
    if (isNothing && left !== undefined) print(`  ${folder}: ${left}: left\n`);
    if (isNothing) continue;
    const hint = action === "extra" ? ": has no local folder, --prune moves it to the bin" : "";
    print(`${signs[action]} ${action} ${folder}${hint}${publishes ? ", then publish" : ""}\n`);
    for (const change of changes) print(`    ${change}\n`);
    for (const move of moved ?? []) print(`    ! changed in the environment since then: ${move}\n`);
    if (conflict !== undefined) print(`    ! ${conflict}\n`);
    if (left !== undefined) print(`    ${left}: left\n`);
  }
  const counts = Object.keys(signs).flatMap((action) => {
    const count = plan.steps.filter((step) => step.action === action).length;
    return count === 0 ? [] : [`${count} ${action}`];
  });
  print(`Plan: ${counts.join(", ") || "no bots"}\n`);
}

function printOutcomes({ print, tell }: Tools, { steps }: Plan, outcomes: ReadonlyMap<string, Outcome>): void {
  for (const [folder, outcome] of outcomes) {
    const left = steps.find((step) => step.folder === folder)?.left;
    if ("message" in outcome) tell(`${folder}: ${outcome.message}`);
    else if (outcome.version !== null) print(`${folder}: published version ${outcome.version}\n`);
    else if (left !== undefined) print(`${folder}: ${left}: left\n`);
  }
  const failed = [...outcomes.values()].filter((outcome) => "message" in outcome).length;
  print(failed === 0 ? "Deployed\n" : `Deployed, except for ${failed} of ${outcomes.size} bots\n`);
}

function isNothing({ steps }: Plan): boolean {
  return steps.every(({ action, publishes }) => (action === "unchanged" || action === "extra") && !publishes);
}
