import { type AddCommand, jsonOption, printJson, type Tools, UsageError } from "../command.ts";
import { defaultUrl, type ServiceOptions, serviceOptions } from "../service-options.ts";

type TestOptions = ServiceOptions & { readonly flow?: string; readonly json?: true };

export const addTest: AddCommand = (program, tools) => {
  program
    .command("test")
    .description("Run test conversations with their flows, and show differences from the expectations.")
    .argument(
      "<tests...>",
      "JSON files with a test conversation or a list of them, folders that contain such files, or ids of bots with test conversations",
    )
    .option("--flow <file>", "the flow to test (default: the one in each file)")
    .option(...serviceOptions.url, defaultUrl(tools.environment))
    .option(...serviceOptions.token)
    .option(...jsonOption)
    .action((names: readonly string[], options: TestOptions) => testAll(tools, names, options));
};

async function testAll(tools: Tools, names: readonly string[], { flow, json, ...options }: TestOptions): Promise<void> {
  const { isTestFile, readNames, reportEach } = await import("../files/named.ts");
  const { printProof } = await import("./print.ts");
  const { all, areSeveral } = await readNames(names, { isWanted: isTestFile, noun: "test conversation" });
  if (flow !== undefined && all.some(({ kind }) => kind === "bot"))
    throw new UsageError("--flow requires files, not a bot.");
  const proofs = await reportEach(all, async ({ kind, name }) =>
    kind === "bot"
      ? (await import("./prove-bot.ts")).proveBot(name, options, tools.environment)
      : (await import("./prove-file.ts")).proveFile(name, { flowFile: flow }),
  );
  const hasPassed = proofs.every((proof) => "hasPassed" in proof && proof.hasPassed);
  if (!hasPassed) tools.setExitCode(1);
  if (json && areSeveral) return printJson(tools, { files: proofs, hasPassed });
  for (const { name, ...proof } of proofs) {
    if (json) return printJson(tools, proof);
    if (areSeveral) tools.print(`${name}\n`);
    if ("problem" in proof) tools.print(`FAILED  ${proof.problem}\n`);
    else printProof(proof, tools);
  }
}
