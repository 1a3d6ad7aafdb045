import { type AddCommand, jsonOption, printJson } from "../command.ts";
import { defaultUrl, type ServiceOptions, serviceOptions } from "../service-options.ts";

type TestOptions = ServiceOptions & { readonly flow?: string; readonly json?: true };

export const addTest: AddCommand = (program, tools) => {
  const { environment, setExitCode } = tools;
  program
    .command("test")
    .description("Run test conversations with a flow, and show what differs from the expected.")
    .argument(
      "<file or bot>",
      "a JSON file with a test conversation or a list of them, or the id of a bot that has some",
    )
    .option("--flow <file>", "the flow to test (default: the one in the file)")
    .option(...serviceOptions.url, defaultUrl(environment))
    .option(...serviceOptions.token)
    .option(...jsonOption)
    .action(async (name: string, { flow, json, ...options }: TestOptions) => {
      const { isId } = await import("../../platform/ids.ts");
      const { printProof } = await import("./print.ts");
      const isBot = isId(name) && flow === undefined && !(await Bun.file(name).exists());
      const proof = isBot
        ? await (await import("./prove-bot.ts")).proveBot(name, options, environment)
        : await (await import("./prove-file.ts")).proveFile(name, { flowFile: flow });
      if (json) printJson(tools, proof);
      else printProof(proof, tools);
      if (!proof.hasPassed) setExitCode(1);
    });
};
