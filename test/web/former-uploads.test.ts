import { afterAll, beforeAll, expect } from "bun:test";
import { browserTests } from "../support/browser.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";

// A site with a client of an earlier version, which requests an upload without block and size, and posts a form to the
// returned address.

const folder = temporaryFolder();
let host: ChatHost;
let site: OtherSite;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost({ config: { DATA_DIR: folder.path } });
  site = openOtherSite();
});
afterAll(async () => {
  await site.close();
  await host.close();
  folder.remove();
});

for (const version of [1, 2]) {
  inBrowser(
    `a page of another site uploads files with the protocol of version ${version}, and gets the reason for a refusal`,
    async ({ page }) => {
      const input = asks("file input", { isMultipleAllowed: true, sizeLimit: 1 });
      const { publicId, botId } = await host.publish(flowOf([input, says("Thank you")]));
      const methods: string[] = [];
      page.on("request", (request) => {
        if (request.url().includes("/api/uploads/")) methods.push(request.method());
      });
      await page.goto(site.page("<h1>Shop</h1>"));
      const done = await page.evaluate(
        async ({ apiHost, publicId, version }) => {
          const ask = async (path: string, body: object) => {
            const headers = { "Content-Type": "application/json" };
            const response = await fetch(apiHost + path, { method: "POST", headers, body: JSON.stringify(body) });
            return response.json();
          };
          const { sessionId } = await ask(`/api/v1/typebots/${publicId}/startChat`, { isStreamEnabled: true });
          const files = [
            new File(["one"], "one.txt", { type: "text/plain" }),
            new File([new Uint8Array(1024 * 1024 + 1)], "large.bin", { type: "application/octet-stream" }),
            new File(["three"], "drei ü.pdf", { type: "application/pdf" }),
          ];
          const urls: string[] = [];
          const answers: unknown[] = [];
          for (const file of files) {
            const { presignedUrl, formData, fileUrl } = await ask(`/api/v${version}/generate-upload-url`, {
              ...{ sessionId, fileName: file.name, fileType: file.type },
            });
            const form = new FormData();
            for (const [key, value] of Object.entries(formData)) form.append(key, String(value));
            form.append("file", file);
            const sent = new XMLHttpRequest();
            // With a progress listener, the browser sends a preflight.
            sent.upload.onprogress = () => {};
            sent.open("POST", presignedUrl);
            await new Promise((resolve) => {
              sent.onloadend = resolve;
              sent.send(form);
            });
            answers.push([sent.status, JSON.parse(sent.responseText || "{}").message]);
            if (sent.status === 200) urls.push(fileUrl);
          }
          const contents = await Promise.all(urls.map(async (url) => (await fetch(url)).text()));
          const next = await ask(`/api/v1/sessions/${sessionId}/continueChat`, {
            message: { type: "text", text: urls.join(", "), attachedFileUrls: urls },
          });
          return { answers, contents, said: JSON.stringify(next.messages) };
        },
        { apiHost: host.origin, publicId, version },
      );
      expect(done.answers).toEqual([
        [200, undefined],
        [413, expect.any(String)],
        [200, undefined],
      ]);
      expect(done.contents).toEqual(["one", "three"]);
      expect(done.said).toContain("Thank you");
      expect(methods).toEqual(["POST", "POST", "POST"]);
      const results = await host.api.client.get(`/api/v1/bots/${botId}/results`, { token: host.owner.token });
      expect(JSON.stringify(results.body).match(/\/api\/files\//g)?.length).toBeGreaterThanOrEqual(2);
    },
  );
}
