import { expect, test } from "bun:test";
import { settingsFor } from "../../../src/platform/embedded/settings.ts";

const gigabyte = 1024 ** 3;

test("the database settings scale with memory and disk within fixed bounds", () => {
  expect(settingsFor({ memory: 4 * gigabyte, disk: 20 * gigabyte })).toMatchObject({
    shared_buffers: "1024MB",
    effective_cache_size: "2048MB",
    maintenance_work_mem: "128MB",
    max_wal_size: "2048MB",
  });
  expect(settingsFor({ memory: gigabyte / 16, disk: 0 })).toMatchObject({
    shared_buffers: "32MB",
    effective_cache_size: "64MB",
    maintenance_work_mem: "16MB",
    max_wal_size: "64MB",
  });
  expect(settingsFor({ memory: 512 * gigabyte, disk: 4_096 * gigabyte })).toMatchObject({
    shared_buffers: "2048MB",
    effective_cache_size: "65536MB",
    maintenance_work_mem: "256MB",
    max_wal_size: "4096MB",
  });
});
