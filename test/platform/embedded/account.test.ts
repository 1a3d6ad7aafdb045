import { expect, spyOn, test } from "bun:test";
import { commandPrefix } from "../../../src/platform/embedded/account.ts";

test("a root user without setpriv in PATH gets a message with the name of the missing program", () => {
  const which = spyOn(Bun, "which").mockReturnValue(null);
  const getuid = spyOn(process, "getuid").mockReturnValue(0);
  try {
    expect(() => commandPrefix("/nowhere")).toThrow("`setpriv` (util-linux)");
  } finally {
    which.mockRestore();
    getuid.mockRestore();
  }
});
