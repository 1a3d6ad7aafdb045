import { channels } from "../../../src/core/channels/index.ts";
import { pigeon } from "./pigeon.ts";

// Loaded before every other module, since the service reads its channels once.
if (!(channels instanceof Map)) throw new Error("The channels are no map");
channels.set(pigeon.type, pigeon);
