import { expect, test } from "bun:test";
import { createEndpointHealth, maxUnreachable } from "../../../../src/management/events/delivery/endpoint-health.ts";
import type { DeliveryAttempt } from "../../../../src/management/events/event-delivery.ts";
import { createLog } from "../../../../src/platform/observing/log.ts";

const delivered: DeliveryAttempt = { kind: "delivered", statusCode: 200, response: "" };
const unreachable: DeliveryAttempt = {
  ...{ kind: "failed", statusCode: null, error: "Nobody answers", response: null },
  ...{ isUnreachable: true, isGone: false, retryAfterSeconds: null },
};
const almost = Array.from({ length: maxUnreachable - 1 }, () => unreachable);

function healthAfter(attempts: readonly DeliveryAttempt[]) {
  const store = { noteEndpoint: async () => undefined };
  const health = createEndpointHealth({ store, log: createLog("silent") }, "endpoint");
  for (const attempt of attempts) health.note(attempt);
  return health;
}

test("an endpoint becomes doubtful after several consecutive failures to reach it", () => {
  expect(healthAfter([...almost, unreachable]).isDoubtful()).toBe(true);
  expect(healthAfter([...almost, delivered, ...almost]).isDoubtful()).toBe(false);
  expect(healthAfter([...almost, delivered, ...almost, unreachable]).isDoubtful()).toBe(true);
  expect(healthAfter([...almost, unreachable, delivered]).isDoubtful()).toBe(false);
});

test("a response with status 400 resets the count of unreachable attempts", () => {
  expect(
    healthAfter([...almost, { ...unreachable, statusCode: 400, isUnreachable: false }, ...almost]).isDoubtful(),
  ).toBe(false);
  const health = healthAfter([...almost, unreachable]);
  health.read({
    ...{ id: "endpoint", workspaceId: "w", url: "http://receiver.example/", secret: new Uint8Array() },
    ...{ previousSecret: null, maxConcurrency: 1, batchSize: 1, unreachableJobs: 0, failingSince: null },
  });
  expect(health.isDoubtful()).toBe(false);
});
