import type { CellPlan } from "./cell.ts";

const suggestions = ["10 Downing Street, London", "Calle de los Reyes Católicos 12, 28040 Madrid, España"].map(
  (text) => ({ text }),
);

/**
 * Responds to the page's requests according to the plan of a cell. `started` resolves when the chat has been started or
 * resumed.
 */
export function stubService(plan: CellPlan): { readonly started: Promise<void> } {
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});

  const answer = (path: string): Promise<Response> | Response => {
    if (path.endsWith("/startChat")) {
      start();
      return Response.json(plan.start);
    }
    if (path.endsWith("/generate-upload-url")) return Response.json({ presignedUrl: "/put", fileUrl: nextFile() });
    if (path.endsWith("/continueChat")) return reply();
    if (path.endsWith("/suggestions")) return Response.json({ suggestions });
    if (/\/sessions\/[^/]+$/.test(path) && plan.remembered) {
      start();
      return Response.json({ session: plan.remembered });
    }
    return never;
  };
  const reply = (): Promise<Response> | Response => {
    switch (plan.service) {
      case "answers":
        return Response.json(plan.next);
      case "refuses":
        return Response.json(plan.refusal);
      case "expired":
        return Response.json({ code: "session.expired", message: "Gone" }, { status: 404 });
      case "overloaded":
        return Response.json(
          { code: "server.overloaded", message: "Later" },
          { status: 503, headers: { "Retry-After": "600" } },
        );
      case "offline":
        return Promise.reject(new TypeError("Failed to fetch"));
      case "hangs":
        return never;
      default:
        return plan.service satisfies never;
    }
  };

  // Uploaded files have the names of the selected files, in the order of the requests.
  let count = 0;
  const nextFile = (): string => {
    const names = plan.acts.flatMap((act) => ("choose" in act ? act.choose : []));
    return `${location.origin}/files/${names[count++ % Math.max(1, names.length)] ?? "sea.png"}`;
  };
  let tries = 0;
  Object.assign(window, {
    fetch: (address: string | URL | Request) => {
      const path = new URL(address instanceof Request ? address.url : address, location.href).pathname;
      // A retry never resolves, so that the page shows that it is retrying.
      if (path.endsWith("/continueChat") && plan.service === "offline" && tries++ > 0) return never;
      return Promise.resolve().then(() => answer(path));
    },
    XMLHttpRequest: stubUploads(plan.service === "hangs"),
  });
  return { started };
}

function stubUploads(hangs: boolean) {
  return class {
    readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
    readonly status = 200;
    onload?: () => void;
    onabort?: () => void;
    open(): void {}
    setRequestHeader(): void {}
    send(file: File): void {
      this.upload.onprogress?.({ loaded: file.size * 0.6, total: file.size });
      if (!hangs) queueMicrotask(() => this.onload?.());
    }
    abort(): void {
      this.onabort?.();
    }
  };
}
