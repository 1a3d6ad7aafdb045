import { migrations } from "../../../../src/platform/database/migrations.ts";
import { reasonOf } from "../../../../src/platform/thrown.ts";
import { holdEqual } from "../promises.ts";
import { formerReleases } from "../releases.ts";
import { act } from "../run.ts";
import type { Act } from "./act.ts";

export const operatorActs: readonly Act[] = [
  {
    name: "suspend",
    means: "The operator suspends a workspace, or lets it go on.",
    often: 1,
    when: () => true,
    async run(run, _, pick) {
      const workspace = pick % 2 === 0 ? "home" : "other";
      const isSuspended = run.suspended.has(workspace);
      const path = `workspaces/${run.workspaces[workspace]}/${isSuspended ? "resume" : "suspend"}`;
      const operator = { user: run.world.operator };
      await act(run, "post", path, isSuspended ? undefined : { reason: "Unpaid" }, operator);
      if (isSuspended) run.suspended.delete(workspace);
      else run.suspended.add(workspace);
    },
  },
  {
    name: "resume",
    means: "The operator lets all workspaces go on.",
    often: 5,
    when: ({ suspended }) => suspended.size > 0,
    async run(run) {
      for (const workspace of run.suspended) {
        const path = `workspaces/${run.workspaces[workspace]}/resume`;
        await act(run, "post", path, undefined, { user: run.world.operator });
      }
      run.suspended.clear();
    },
  },
  {
    name: "restoreRelease",
    means: "The operator restores the backup of a former release elsewhere; the check of a backup compares it, too.",
    often: 1,
    when: ({ restored }) => restored === 0,
    async run(run, _, pick) {
      run.restored++;
      const count = formerReleases[pick % formerReleases.length] ?? 0;
      const seen = await run.world.releases.restore(count, pick >= formerReleases.length).catch(reasonOf);
      holdEqual("restored", { count, expected: { migrations: migrations.length, mails: 1, waiting: 1 }, seen });
    },
  },
];
