import { channels } from "../../../src/core/channels/index.ts";
import { pigeon } from "./pigeon.ts";

// Before anything else is loaded: what the service serves is read once.
if (!(channels instanceof Map)) throw new Error("The channels are no map");
channels.set(pigeon.type, pigeon);
