import { limits } from "../../../limits/index.ts";
import { textAt, valueAt } from "../../interpreter/flow.ts";
import { segment } from "../../interpreter/program/call.ts";
import { continueAfter, type StepLog } from "../../interpreter/program/outcome.ts";
import { optionsIn, type RemoteFields, type RemoteStep } from "../../interpreter/program/remote-field.ts";
import { type Action, defineAction } from "../action.ts";
import { failedWith } from "../logged.ts";
import { mappingOption, option, titled } from "../options.ts";
import { answerOf, serviceCall } from "../service-answer.ts";
import { missingCredentials } from "./call.ts";
import { accountAdvice, placeOptions } from "./chat-options.ts";

const name = "Dify";
const context = "While querying the knowledge base";
const items = ["Retrieved chunks"] as const;

/** The data sets that the API key can read, loaded in pages of the largest size that Dify allows. */
export const difyFields: RemoteFields = {
  datasetId: { credentialsType: "dify-ai", next: (_, answers) => dataSetsAfter(answers) },
};

function dataSetsAfter(answers: readonly unknown[]): RemoteStep {
  const last = answers.at(-1);
  const isWhole = answers.length > 0 && valueAt(last, "has_more") !== true;
  if (!isWhole && answers.length < limits.outgoing.dataSetPages) {
    const query = [
      ["page", String(answers.length + 1)],
      ["limit", "100"],
    ] as const;
    return { ask: { method: "GET", path: "/datasets", query } };
  }
  const pages = answers.map((answer) => optionsIn(valueAt(answer, "data"), { value: "id", label: "name" }));
  return pages.includes(undefined) ? { unreadable: true } : { options: pages.flatMap((page) => page ?? []) };
}

/** Searches a Dify data set for a text. API reference: https://docs.dify.ai/api-reference/knowledge-bases */
export const difyKnowledge: Action = defineAction({
  name: "Query Knowledge Base",
  options: {
    credentialsId: placeOptions.credentialsId,
    datasetId: titled("Data set", option.remote("Id of the data set, which is part of its URL.", ["credentialsId"])),
    query: titled("Message", option.longText("The message to the app, or the text to look up.")),
    responseMapping: mappingOption(items),
  },
  items,
  isSearch: true,
  advice: accountAdvice,
  run(block, given, view) {
    const credentialsId = view.text(given.credentialsId);
    if (credentialsId === "") return failedWith(block, missingCredentials(block));
    const [datasetId, query] = [view.text(given.datasetId).trim(), view.text(given.query).trim()];
    if (datasetId === "") return failedWith(block, { description: "No Dify data set is chosen", context });
    if (query === "") return failedWith(block, { description: "No query provided", context });
    const most = limits.outgoing.knowledgeQueryCharacters;
    const body = { query: [...query].slice(0, most).join("") };
    const path = `/datasets/${segment(datasetId)}/retrieve`;
    const isCut: StepLog = {
      status: "info",
      description: `The text was truncated, because Dify accepts at most ${most} characters`,
      context,
    };
    return {
      kind: "perform",
      effect: serviceCall(block, credentialsId, { method: "POST", path, body }),
      ...(body.query !== query && { logs: [isCut] }),
    };
  },
  report(block, { responseMapping = [] }, _view, { report }) {
    const answer = answerOf(block, report, name);
    if ("instead" in answer) return answer.instead;
    const records = valueAt(answer.json, "records");
    if (!Array.isArray(records)) return failedWith(block, { description: "Dify's response has no chunks", context });
    const chunks = records.flatMap((record) => textAt(record, "segment", "content") ?? []);
    const writes = responseMapping.flatMap(({ variableId }) => (variableId ? [{ variableId, value: chunks }] : []));
    return { ...continueAfter(block), writes };
  },
});
