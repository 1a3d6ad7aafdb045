import { expect } from "bun:test";
import { idOf } from "../../support/builder-ids.ts";
import { flowTests } from "../../support/flow-page.ts";

const tests = flowTests();

tests.inBrowser(
  "each field that uses a variable has a separate line that links to its block",
  async ({ context, problems }) => {
    const sets = (id: string, expressionToEvaluate: string) => ({
      ...{ id, type: "Set variable", options: { variableId: idOf("total"), expressionToEvaluate } },
    });
    const blocks = [
      sets("twice", "{{Amount}} * {{Amount}}"),
      sets("more", "{{Amount}} + 1"),
      { id: "said", type: "text", content: { richText: [{ type: "p", children: [{ text: "{{Amount}}" }] }] } },
    ];
    const flow = {
      version: "6.1",
      events: [{ id: "start", type: "start", graphCoordinates: { x: 0, y: 0 } }],
      groups: [{ id: "g", title: "Price", graphCoordinates: { x: 0, y: 0 }, blocks }],
      edges: [],
      variables: [
        { id: idOf("amount"), name: "Amount" },
        { id: idOf("total"), name: "Total" },
      ],
    };
    const { page } = await tests.open(context, flow, { at: "said" });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "Variables" }).click();
    await page.getByRole("button", { name: "Details of Amount" }).click();
    const names = [
      "Price · Set variable · Expression · Total = {{Amount}} * {{Amount}}",
      "Price · Set variable · Expression · Total = {{Amount}} + 1",
      "Price · Text",
    ];
    const lines = page.locator(".variable-use");
    await lines.first().waitFor();
    expect(await lines.allInnerTexts()).toEqual(names);
    await lines.first().click();
    await page.locator('[data-key="block:twice"][aria-selected=true], [data-key="block:twice"].is-active').waitFor();

    await page
      .locator(`[data-variable="${idOf("amount")}"]`)
      .getByRole("textbox", { name: "Name" })
      .fill("Pieces");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("These 3 places will be updated:").waitFor();
    expect(await dialog.getByRole("listitem").allInnerTexts()).toEqual(names);
    expect(problems).toEqual([]);
  },
);

tests.inBrowser("an invalid name of a variable is rejected with one visible message", async ({ context, problems }) => {
  const { page } = await tests.open(context, { variables: [{ id: idOf("amount"), name: "Amount" }] });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Variables" }).click();
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  const sentence = page.locator(".app-toast", { hasText: "A variable needs a name without curly brackets." });
  for (const wanted of ["Amount {1}", "Amount {2}"]) {
    await name.fill(wanted);
    await page.keyboard.press("Enter");
    await sentence.waitFor();
    expect([await sentence.count(), await name.inputValue()]).toEqual([1, "Amount"]);
  }
  expect(problems).toEqual([]);
});
