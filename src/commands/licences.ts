import { type AddCommand, jsonOption, printJson } from "./command.ts";

export const addLicences: AddCommand = (program, tools) => {
  program
    .command("licences")
    .description("Print the licences of all parts of this program.")
    .option(...jsonOption)
    .action(async ({ json }: { json?: boolean }) => {
      const { listComponents } = await import("../build/supply/components.ts");
      const components = await listComponents();
      if (json) return printJson(tools, { components });
      const list = components.map((component) => `${titleOf(component)}: ${component.licence}\n`);
      const texts = [...Map.groupBy(components, ({ text }) => text)].map(
        ([text, those]) => `\n${"=".repeat(80)}\n${those.map(titleOf).join(", ")}\n\n${text}\n`,
      );
      tools.print([...list, ...texts].join(""));
    });
};

function titleOf({ name, version }: { name: string; version?: string }): string {
  return version === undefined ? name : `${name} ${version}`;
}
