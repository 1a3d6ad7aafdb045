import type { Bench } from "../bench.ts";
import { compareSettings } from "../compare-settings.ts";
import { print } from "../print.ts";

/**
 * Measures the cost of access lines and OpenTelemetry traces for a request. The trace collector runs in this process,
 * which otherwise only coordinates the load.
 */
export async function measureSeeing(bench: Bench): Promise<void> {
  let batches = 0;
  let megabytes = 0;
  const collector = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      batches++;
      megabytes += (await request.arrayBuffer()).byteLength / 1024 ** 2;
      return Response.json({});
    },
  });
  try {
    const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${collector.port}`;
    await compareSettings(bench, [
      { name: "as by default", settings: {} },
      { name: "ACCESS_LOG=off", settings: { ACCESS_LOG: "off" } },
      { name: "OTLP, one in a hundred", settings: { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG: "0.01" } },
      { name: "OTLP, every request", settings: { OTEL_EXPORTER_OTLP_ENDPOINT } },
    ]);
    print(`\n${batches} batches of spans, ${megabytes.toFixed(0)} MB.`);
  } finally {
    await collector.stop(true);
  }
}
