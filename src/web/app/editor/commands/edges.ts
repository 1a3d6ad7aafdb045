import { disconnect, type Outlet } from "../../../../core/editing/references/outlets.ts";
import type { Command } from "./command.ts";

export const unlead: Command<{ readonly from: Outlet }> = {
  name: (words) => words.acts.disconnect,
  make: (draft, { from }) => ({ changes: disconnect(draft, from) }),
};
