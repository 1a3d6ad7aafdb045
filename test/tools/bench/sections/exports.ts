import { exportFormats } from "../../../../src/management/results/exports/result-exports.sql.ts";
import type { Bench } from "../bench.ts";
import { askQuestions } from "../flows.ts";
import { median } from "../numbers.ts";
import { printTable, printTarget } from "../print.ts";
import { fillResults } from "../rows.ts";
import { benchToken } from "../service.ts";

const sampleMs = 50;

/** The time without requests after which the service counts as idle. */
const restMs = 3_000;

/**
 * Measures the export of all results of a bot in each format: the speed of the download, and the additional memory of
 * the service.
 */
export async function measureExports(bench: Bench): Promise<void> {
  const { rows } = bench.pace;
  const { botId } = await bench.publish(askQuestions());
  await fillResults(bench.floors.sql, { botId, rows });
  // A first request loads code, which is not part of the cost of an export.
  for (const format of exportFormats) {
    await download(bench, `/api/v1/bots/${botId}/results/export?format=${format}&timeFilter=today`);
  }
  await Bun.sleep(restMs);
  const idle = await bench.service.residentMegabytes();
  const lines: string[][] = [];
  const above: number[] = [];
  for (const format of exportFormats) {
    const { seconds, bytes, resident } = await download(bench, `/api/v1/bots/${botId}/results/export?format=${format}`);
    above.push(Math.max(...resident) - idle);
    bench.figures.cost(`exports: above idle, ${format}`, "MB", [Math.max(...resident) - idle]);
    lines.push([
      format,
      seconds.toFixed(1),
      Math.round(rows / seconds).toLocaleString("en"),
      (bytes / 1_000_000).toFixed(1),
      (median(resident) - idle).toFixed(0),
      (Math.max(...resident) - idle).toFixed(0),
    ]);
  }
  printTable(
    [
      `${rows.toLocaleString("en")} results, idle at ${idle.toFixed(0)} MB`,
      "s",
      "results/s",
      "MB",
      "MB above idle, middle",
      "most",
    ],
    lines,
  );
  printTarget("\nmost above idle", { value: Math.max(...above), most: 100, digits: 0, unit: " MB" });
}

async function download({ service }: Bench, path: string) {
  const resident: number[] = [];
  let isOver = false;
  const sampling = (async () => {
    while (!isOver) {
      resident.push(await service.residentMegabytes());
      await Bun.sleep(sampleMs);
    }
  })();
  const begunAt = performance.now();
  const response = await fetch(`${service.url}${path}`, { headers: { Authorization: `Bearer ${benchToken}` } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.byteLength;
  const seconds = (performance.now() - begunAt) / 1_000;
  isOver = true;
  await sampling;
  return { seconds, bytes, resident };
}
