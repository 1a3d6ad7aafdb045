import { afterAll, beforeAll, expect } from "bun:test";
import { type FakeModel, startFakeModel } from "../fake-model/server.ts";
import { browserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { testKey } from "../support/events.ts";
import { answer, openChat } from "../support/live-page.ts";

let host: ChatHost;
let model: FakeModel;
const inBrowser = browserTests();

beforeAll(async () => {
  model = await startFakeModel();
  host = await openChatHost({ config: { ENCRYPTION_KEY: testKey, MODEL_SERVERS: model.origin } });
});
afterAll(async () => {
  await host.close();
  await model.close();
});

/** Formulas as models write them, and the letters and signs that are rendered, without spaces. */
const formulas: readonly (readonly [tex: string, drawn: string])[] = [
  ["\\int_0^1 x\\,dx", "∫01xdx"],
  ["\\sum_{i=1}^{n} i", "∑i=1ni"],
  ["\\alpha + \\beta = \\gamma", "α+β=γ"],
  ["\\frac{a}{b}", "ab"],
  ["\\sqrt{x^2 + y^2}", "x2+y2"],
  ["\\theta \\le \\pi", "θ≤π"],
  ["\\nabla \\cdot E = \\rho", "∇⋅E=ρ"],
  ["\\lim_{x \\to 0} f(x)", "limx→0f(x)"],
  ["\\partial_t u = \\Delta u", "∂tu=Δu"],
  ["\\forall x \\in A", "∀x∈A"],
  ["\\exists y \\notin B", "∃y∉B"],
  ["A \\cup B \\subseteq C", "A∪B⊆C"],
  ["x \\mapsto x^2", "x↦x2"],
  ["\\vec{v} \\times \\vec{w}", "v→×w→"],
  ["\\binom{n}{k}", "(nk)"],
  ["a \\equiv b \\pmod{n}", "a≡b(modn)"],
  ["\\prod_{k=1}^{n} k", "∏k=1nk"],
  ["\\hat{p} \\pm 1.96", "pˆ±1.96"],
  ["\\bar{x} \\approx \\mu", "x‾≈μ"],
  ["\\sigma^2 = \\mathbb{E}[X^2]", "σ2=𝔼[X2]"],
  ["\\ln(e) = 1", "ln(e)=1"],
  ["\\sin^2 t + \\cos^2 t = 1", "sin2t+cos2t=1"],
  ["\\infty \\neq 0", "∞≠0"],
  ["x \\ge 0 \\implies y", "x≥0⟹y"],
  ["p \\iff q", "p⟺q"],
  ["\\left( \\frac{1}{2} \\right)", "(12)"],
  ["\\mathbf{A}\\mathbf{x} = \\mathbf{b}", "𝐀𝐱=𝐛"],
  ["\\text{area} = \\pi r^2", "area=πr2"],
  ["\\Omega = \\omega \\cdot t", "Ω=ω⋅t"],
  ["\\lambda \\ll 1", "λ≪1"],
  ["\\epsilon > 0", "ϵ>0"],
  ["\\rightarrow \\uparrow", "→↑"],
  ["\\bigl( x \\bigr)^2 = 1", "(x)2=1"],
  ["\\neg p \\land q", "¬p∧q"],
  ["\\underline{x} = 1", "x=1"],
  ["\\tan \\phi = 1", "tanϕ=1"],
  ["\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}", "(abcd)"],
  ["\\begin{cases} 1 & x > 0 \\\\ 0 & x = 0 \\end{cases}", "{1x>00x=0"],
  ["\\displaystyle \\oint f = 0", "∮f=0"],
  ["x \\; y \\quad z = 1", "xyz=1"],
];

/** The four ways in which models mark formulas. */
const ways: readonly ((tex: string) => string)[] = [
  (tex) => `so \\(${tex}\\) holds`,
  (tex) => `so $${tex}$ holds`,
  (tex) => `\\[\n${tex}\n\\]`,
  (tex) => `$$\n${tex}\n$$`,
];

inBrowser("formulas in a model's answer are rendered with the expected signs", async ({ page, problems }) => {
  const { api, owner, workspaceId } = host;
  const data = { apiKey: "sk-test-0123456789", baseUrl: model.baseUrl };
  const body = { type: "openai", name: "Ours", data };
  const made = await api.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, { token: owner.token, body });
  const content = formulas.map(([tex], index) => ways[index % ways.length]?.(tex) ?? tex).join("\n\n");
  const options = {
    action: "Create chat completion",
    ...{ credentialsId: made.text("credentials.id"), model: "echo" },
    messages: [{ id: "m", role: "user", content }],
    responseMapping: [{ id: "r", variableId: idOf("Email") }],
  };
  const flow = flowOf([
    says("Yes?"),
    asks("text input"),
    { id: "model", type: "openai", options },
    says("{{Email}}", "answer"),
    asks("text input", {}, { id: "else" }),
  ]);
  await openChat(page, `${host.origin}/${(await host.publish(flow)).publicId}`);
  await answer(page, "Formulas, please");

  await page
    .locator("math")
    .nth(formulas.length - 1)
    .waitFor();
  const drawn = await page.locator("math").evaluateAll((elements) =>
    elements.map((element) => {
      const copy = element.cloneNode(true);
      if (copy instanceof Element) for (const hidden of copy.querySelectorAll("annotation")) hidden.remove();
      return (copy.textContent ?? "").replaceAll(/[\s\u2061-\u2064]/g, "");
    }),
  );
  expect(drawn).toEqual(formulas.map(([, text]) => text));
  // After a reload, the page renders the stored text.
  await page.reload();
  await page
    .locator("math")
    .nth(formulas.length - 1)
    .waitFor();
  expect(problems).toEqual([]);
});
