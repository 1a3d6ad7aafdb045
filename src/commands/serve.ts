import { endWithParent } from "../platform/processes/parent.ts";
import type { AddCommand } from "./command.ts";

export const addServe: AddCommand = (program, { environment, setExitCode }) => {
  program
    .command("serve")
    .description("Start the service (the default).")
    .action(async () => {
      endWithParent(environment);
      const { serve } = await import("../service/main.ts");
      setExitCode(await serve(environment));
    });
};
