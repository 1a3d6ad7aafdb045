import { type AddCommand, jsonOption, printJson } from "../command.ts";

const failed = 1;

export const addDoctor: AddCommand = (program, tools) => {
  const { environment, print, setExitCode } = tools;
  program
    .command("doctor")
    .description("Check everything that the service needs, and suggest solutions for problems.")
    .option(...jsonOption)
    .addHelpText("after", "\nThe exit code is 1 if a problem prevents the service from working.")
    .action(async ({ json }: { readonly json?: true }) => {
      const { examine } = await import("./examine.ts");
      const findings = await examine(environment, (finding) => {
        if (json) return;
        const { state, what, says, todo } = finding;
        print(`${marks[state]} ${what}: ${says}${todo === undefined ? "" : `\n        → ${todo}`}\n`);
      });
      if (json) printJson(tools, { findings });
      if (findings.some(({ state }) => state === "wrong")) setExitCode(failed);
    });
};

const marks = { fine: "fine   ", doubtful: "look   ", wrong: "WRONG  " } as const;
