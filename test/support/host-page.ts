/** Pages of another site, which embed chats. */
export type OtherSite = {
  readonly origin: string;
  /** Serves a page with this body; returns its address. */
  page(body: string, options?: HostPageOptions): string;
  close(): Promise<void>;
};

export type HostPageOptions = {
  readonly head?: string;
  /** Content security policy; none by default. */
  readonly policy?: string;
};

/** A site of its own, with another name and another port than the service. */
export function openOtherSite(): OtherSite {
  const pages = new Map<string, () => Response>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => pages.get(new URL(url).pathname)?.() ?? new Response("", { status: 404 }),
  });
  const origin = `http://localhost:${server.port}`;
  return {
    origin,
    page(body, { head = "", policy } = {}) {
      const path = `/page-${pages.size + 1}`;
      const html = `<!doctype html><html lang="en"><head><title>Shop</title><link rel="icon" href="data:,">
        <meta name="viewport" content="width=device-width, initial-scale=1">${head}</head><body>${body}</body></html>`;
      pages.set(path, () => {
        const response = new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
        if (policy !== undefined) response.headers.set("Content-Security-Policy", policy);
        return response;
      });
      return origin + path;
    },
    close: () => server.stop(true),
  };
}
