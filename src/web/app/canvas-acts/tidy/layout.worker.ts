import { type Arrangement, layOut } from "./layout.ts";

addEventListener("message", ({ data }: MessageEvent<Arrangement>) => postMessage(layOut(data)));
