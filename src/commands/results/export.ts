import { rm } from "node:fs/promises";
import { extname } from "node:path";
import { StartError } from "../../config.ts";
import { numberAt, textAt } from "../../web/conversation/read.ts";
import { findBot } from "../bots/find-bot.ts";
import { type Tools, UsageError } from "../command.ts";
import { copyToOutput } from "../output/copy-to-output.ts";
import { createProgress } from "../output/progress.ts";
import { openCalls, openDownloads, openService, type Service } from "../service.ts";
import { type FilterOptions, filterQuery } from "./filter.ts";

export type ExportOptions = FilterOptions & {
  readonly format?: string;
  readonly unguarded?: true;
  readonly job?: true;
  readonly allowPartial?: true;
};

const formats = ["csv", "ndjson", "xlsx"];

/** The interval at which the progress of a job is requested. */
const lookMs = 500;

/**
 * Writes a bot's results to a file, or to standard output, as they arrive from the service. If the transfer fails, the
 * incomplete file is removed.
 */
export async function exportResults(
  bot: string,
  named: string | undefined,
  options: ExportOptions,
  tools: Tools,
): Promise<void> {
  const file = named === "-" ? undefined : named;
  const format = formatOf(file, options.format);
  if (file === undefined && format === "xlsx") throw new UsageError("A workbook requires a file name.");
  const open = openDownloads(options, tools.environment);
  const at = `/api/v1/bots/${await findBot(openCalls(options, tools.environment), bot)}`;
  const path = options.job
    ? await makeByJob(openService(options, tools.environment), `${at}/result-exports`, { format, options, tools })
    : `${at}/results/export?${filterQuery(options)}&format=${format}&guard=${guardOf(options)}${options.allowPartial ? "&allowPartial=true" : ""}`;
  const response = await open(path);
  const asOf = response.headers.get("Parley-As-Of");
  if (asOf !== null) tools.tell(`Some results may be missing: the export contains all results up to ${asOf}.`);
  if (file === undefined) return await copyToOutput(response);
  const progress = createProgress(tools, "Exporting");
  try {
    const sink = Bun.file(file).writer();
    for await (const chunk of response.body ?? []) {
      sink.write(chunk);
      await sink.flush();
      progress.add(file, chunk.byteLength);
    }
    await sink.end();
  } catch (error) {
    await rm(file, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${file} could not be written completely: ${reason}`, { cause: error });
  }
  progress.end(`Exported to ${file}.`);
}

function formatOf(file: string | undefined, given: string | undefined): string {
  const ending = file === undefined ? "" : extname(file).slice(1).toLowerCase();
  const format = given ?? (ending || "csv");
  if (formats.includes(format)) return format;
  if (given !== undefined) throw new UsageError(`--format must be csv, ndjson or xlsx, not "${given}".`);
  throw new UsageError(`The extension of ${file} is for another format: use .csv, .ndjson or .xlsx, or set --format.`);
}

function guardOf({ unguarded }: ExportOptions): "on" | "off" {
  return unguarded ? "off" : "on";
}

type Job = { readonly format: string; readonly options: ExportOptions; readonly tools: Tools };

/** Starts a job of the service that creates the file, waits for the job, and returns the file's address. */
async function makeByJob(ask: Service, at: string, { format, options, tools }: Job): Promise<string> {
  const { from, to, completed: isCompleted, publication: publicationNumber, tag, variable: variables } = options;
  const filter = { from, to, isCompleted, publicationNumber, tag, variables };
  const asked = await ask("POST", at, {
    ...{ format, guard: guardOf(options), ...filter },
    ...(options.allowPartial && { allowPartial: true }),
  });
  const path = `${at}/${textAt(asked, "resultExport", "id")}`;
  let lastLine = "";
  for (let answer = asked; ; answer = await ask("GET", path)) {
    const status = textAt(answer, "resultExport", "status");
    if (status === "ready") return `${path}/file`;
    if (status === "failed") {
      throw new StartError(textAt(answer, "resultExport", "problem") ?? "The export failed.");
    }
    const written = numberAt(answer, "resultExport", "writtenResults") ?? 0;
    const expected = numberAt(answer, "resultExport", "expectedResults");
    const line = `${status === "waiting" ? "Waiting" : "Creating the file"}: ${written} results${expected ? ` of ${expected}` : ""}`;
    if (line !== lastLine && process.stderr.isTTY) tools.tell(line);
    lastLine = line;
    await Bun.sleep(lookMs);
  }
}
