import { expect, spyOn, test } from "bun:test";
import { commandPrefix } from "../../../src/platform/embedded/account.ts";

test("a root user without setpriv gets an error that names setpriv", () => {
  const which = spyOn(Bun, "which").mockReturnValue(null);
  const getuid = spyOn(process, "getuid").mockReturnValue(0);
  try {
    expect(() => commandPrefix("/nowhere")).toThrow("`setpriv` (util-linux)");
  } finally {
    which.mockRestore();
    getuid.mockRestore();
  }
});
