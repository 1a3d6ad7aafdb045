import { Type } from "@sinclair/typebox";

/** The settings for traces, with their names in OpenTelemetry. */
export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: "^https?://[^?#@\\s]+$",
      description:
        "Address to which traces are sent by OTLP over HTTP, such as `http://localhost:4318`. Absent: no traces are sent.",
      expected: "an address like http://localhost:4318",
    }),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: Type.Optional(
    Type.String({
      pattern:
        "^[\\w!#$&'*+.^`|~-]+=([\\x21-\\x24\\x26-\\x2b\\x2d-\\x7e]|%[0-9A-Fa-f]{2})*( *, *[\\w!#$&'*+.^`|~-]+=([\\x21-\\x24\\x26-\\x2b\\x2d-\\x7e]|%[0-9A-Fa-f]{2})*)*$",
      description:
        "Comma-separated headers of requests that send traces, such as `api-key=secret`, with values encoded as in URLs.",
      expected: "names and values like api-key=secret, separated by commas",
    }),
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.String({
    default: "1",
    pattern: "^(1(\\.0+)?|0(\\.\\d+)?)$",
    description: "Share of requests to trace if the caller has made no sampling decision, from `0` to `1`.",
    expected: "a number from 0 to 1",
  }),
};
