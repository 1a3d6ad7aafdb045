import { limits } from "../../../limits/index.ts";
import { continueAfter } from "../../interpreter/program/outcome.ts";
import { defineAction, defineActions } from "../action.ts";
import { failedWith, logged } from "../logged.ts";
import { marked, option } from "../options.ts";

const context = "While generating a QR code";

const generate = defineAction({
  name: "Generate a QR Code",
  options: {
    data: marked(
      { title: "Content", help: "A text or a URL." },
      option.longText(`The text or URL in the code, at most ${limits.qrCodes.bytes} bytes.`),
    ),
    saveUrlInVariableId: marked(
      { title: "Save URL in", help: "Stores the URL of the picture." },
      option.writtenVariable("Id of the variable that stores the URL of the picture (PNG)."),
    ),
  },
  run(block, given, view) {
    const data = view.text(given.data).toWellFormed();
    if (data === "") return failedWith(block, { description: "The QR code has no content", context });
    if (new TextEncoder().encode(data).byteLength > limits.qrCodes.bytes) {
      const description = `The content of the QR code is larger than ${limits.qrCodes.bytes} bytes`;
      return failedWith(block, { description, context });
    }
    return { kind: "perform", effect: { kind: "qrCode", blockId: block.id, data } };
  },
  report(block, { saveUrlInVariableId: variableId }, _view, { report }) {
    if (report.kind === "refused") return logged(block, { status: "info", description: report.reason, context });
    if (report.kind !== "qrCode" || "failure" in report) {
      const details = report.kind === "qrCode" ? report.failure.details : undefined;
      const description = "The QR code cannot be stored";
      return failedWith(block, { description, ...(details !== undefined && { details }), context });
    }
    return { ...continueAfter(block), writes: variableId ? [{ variableId, value: report.url }] : [] };
  },
});

export const qrCode = defineActions({
  type: "qr-code",
  summary: "Creates a QR code, and saves the URL of its picture in a variable. The picture is a file of the result.",
  actions: [generate],
  editor: {
    name: "QR code",
    icon: "qr-code",
    words: ["barcode", "scan", "picture", "link"],
    row: ["{options.data}", "{options.action}"],
    related: [],
  },
});
