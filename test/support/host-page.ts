/** Pages of another site that embed chats. */
export type OtherSite = {
  readonly origin: string;
  /** Serves a page with this body and returns its URL. */
  page(body: string, options?: HostPageOptions): string;
  close(): Promise<void>;
};

export type HostPageOptions = {
  readonly head?: string;
  /** The content security policy of the page. By default, the page has none. */
  readonly policy?: string;
};

/** Opens a site whose name and port differ from those of the service. */
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
