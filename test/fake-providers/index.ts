import type { FakeProvider } from "./kit.ts";
import { startFakeNocodb } from "./nocodb.ts";

/** Every fake: one file each. */
export const fakes: readonly ((options: { readonly port: number }) => Promise<FakeProvider>)[] = [startFakeNocodb];
