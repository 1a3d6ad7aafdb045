import { AppError } from "../../errors.ts";
import { createKeyedLimiter, type KeyedLimiter } from "../concurrency/limiter.ts";

/** Three each for a school class of 300. Bun cannot count connections, so their requests are counted. */
const mostOfAddress = 1_000;

/** Bounds the requests of one address that are under way in this process, however slow they are. */
export function limitRequestsUnderWay(): KeyedLimiter {
  return createKeyedLimiter({
    width: mostOfAddress,
    refuse: () =>
      new AppError("rate_limit.exceeded", { data: { scope: "address", act: "requests", retryAfterSeconds: 1 } }),
  });
}
