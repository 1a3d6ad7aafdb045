import { existsSync } from "node:fs";
import { StartError } from "../../config.ts";
import { printJson, type Tools } from "../command.ts";
import { type ApplyOptions, applyPlan, type Outcome } from "./apply.ts";
import { makePlan, type Plan, type PlanOptions } from "./plan.ts";
import { addPlace } from "./project.ts";
import { openWorkspace, type WorkspaceOptions } from "./workspace.ts";

export type DeployOptions = WorkspaceOptions & PlanOptions & ApplyOptions & { readonly apply?: true };

/** Shows what would make an environment as a folder is, and does it with `--apply`. */
export async function deploy(tools: Tools, name: string, root: string, options: DeployOptions): Promise<void> {
  if (!existsSync(root)) throw new StartError(`${root} does not exist: name the folder of the bots.`);
  const workspace = await openWorkspace(tools, { name, root }, options);
  const plan = await makePlan(workspace, options);
  const moved = options.force ? [] : plan.steps.filter((step) => step.moved !== undefined);
  const isRefused = plan.problems.length > 0 || moved.length > 0;
  const isApplied = (options.apply ?? false) && !isRefused;
  if (!options.json) printPlan(tools, plan);
  if (isApplied && workspace.isNew) await addPlace(root, workspace.place, workspace.remote.workspaceId);
  const outcomes = isApplied ? await applyPlan(workspace, plan, options) : new Map<string, Outcome>();
  if (options.json) {
    const bots = plan.steps.map((step) => ({ ...step, ...outcomes.get(step.folder) }));
    printJson(tools, { environment: name, isApplied, problems: plan.problems, bots });
  } else if (isApplied) printOutcomes(tools, outcomes);
  for (const problem of plan.problems) tools.tell(problem);
  if (moved.length > 0) {
    const folders = moved.map(({ folder }) => folder).join(", ");
    tools.tell(
      `${folders}: changed in "${name}" since the last pull or deploy. Bring these changes into your files first (git stash, parley pull, git stash pop), or overwrite them with --force.`,
    );
  }
  const isIncomplete = [...outcomes.values()].some((outcome) => "message" in outcome);
  if (isRefused || isIncomplete) tools.setExitCode(1);
  else if (!isApplied && !isNothing(plan)) tools.tell("Nothing is done yet: --apply does it.");
}

const signs = { create: "+", update: "~", remove: "-", extra: "?", unchanged: " " };

function printPlan({ print }: Tools, plan: Plan): void {
  for (const { folder, action, changes, moved, publishes } of plan.steps) {
    if (action === "unchanged" && !publishes && changes.length === 0) continue;
    const hint = action === "extra" ? ": has no folder here, --prune moves it to the bin" : "";
    print(`${signs[action]} ${action} ${folder}${hint}${publishes ? ", then publish" : ""}\n`);
    for (const change of changes) print(`    ${change}\n`);
    for (const move of moved ?? []) print(`    ! changed there meanwhile: ${move}\n`);
  }
  const counts = Object.keys(signs).flatMap((action) => {
    const count = plan.steps.filter((step) => step.action === action).length;
    return count === 0 ? [] : [`${count} ${action}`];
  });
  print(`Plan: ${counts.join(", ") || "no bots"}\n`);
}

function printOutcomes({ print, tell }: Tools, outcomes: ReadonlyMap<string, Outcome>): void {
  for (const [folder, outcome] of outcomes) {
    if ("message" in outcome) tell(`${folder}: ${outcome.message}`);
    else if (outcome.version !== null) print(`${folder}: published version ${outcome.version}\n`);
  }
  const failed = [...outcomes.values()].filter((outcome) => "message" in outcome).length;
  print(failed === 0 ? "Deployed\n" : `Deployed, but for ${failed} of ${outcomes.size} bots\n`);
}

function isNothing({ steps }: Plan): boolean {
  return steps.every(({ action, publishes }) => (action === "unchanged" || action === "extra") && !publishes);
}
