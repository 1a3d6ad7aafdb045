/*
 * The used parts of prom-client. Its main module also loads default metrics, gateways and OpenTelemetry. These are 70
 * more files, and 25 of the 340 ms that the main thread takes for a start (Bun 1.4.4).
 */
export { default as Counter } from "prom-client/lib/counter.js";
export { default as Gauge } from "prom-client/lib/gauge.js";
export { default as Histogram } from "prom-client/lib/histogram.js";
export { default as Registry } from "prom-client/lib/registry.js";
