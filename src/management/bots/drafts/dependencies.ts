import type { ProveTask } from "../../../core/tasks/messages.ts";
import type { ManagementDependencies } from "../../access/dependencies.ts";
import type { DraftWatch } from "./draft-watch.ts";

export type BotDependencies = ManagementDependencies & {
  /** Notifies open editors of changes to drafts. */
  readonly draftWatch: DraftWatch;
  /** Runs test conversations on a separate thread. */
  readonly threads: { prove(task: ProveTask, workspaceId: string): Promise<string> };
};
