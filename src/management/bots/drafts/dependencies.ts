import type { ProveTask } from "../../../core/tasks/messages.ts";
import type { ManagementDependencies } from "../../access/dependencies.ts";
import type { DraftWatch } from "./draft-watch.ts";

/** The dependencies of bots, their drafts and their versions. */
export type BotDependencies = ManagementDependencies & {
  /** Notifies open editors of changes to drafts. */
  readonly draftWatch: DraftWatch;
  /** Holds test conversations on a thread of their own. */
  readonly threads: { prove(task: ProveTask, workspaceId: string): Promise<string> };
};
