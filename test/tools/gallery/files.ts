/**
 * Returns the files that cells load: pictures named after their colours, and a page to embed. All other files are
 * missing.
 */
export function fileResponse(name: string): Response {
  if (name === "page.html") {
    const page =
      "<!doctype html><title>A page</title><p style='font:16px system-ui;margin:2rem'>A page of somebody else</p>";
    return new Response(page, { headers: { "Content-Type": "text/html; charset=utf-8" } });
  }
  const [color = "", shape] = name.replace(/\.png$/, "").split(".");
  const [from, to] = colors.get(color) ?? [];
  if (from === undefined || to === undefined) return new Response("", { status: 404 });
  const [width, height] = shape === "tall" ? [600, 900] : shape === "wide" ? [1440, 900] : [900, 600];
  const circles = Array.from({ length: 18 }, (_, index) => {
    const [x, y, radius] = [(index * 397) % width, (index * 211) % height, 30 + ((index * 53) % 90)];
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${index % 3 === 0 ? "#000" : "#fff"}" fill-opacity=".25"/>`;
  });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>
<rect width="100%" height="100%" fill="url(#g)"/>${circles.join("")}</svg>`;
  return new Response(drawing, { headers: { "Content-Type": "image/svg+xml", "Cache-Control": "max-age=3600" } });
}

const colors = new Map([
  ["sea", ["#1d4e68", "#a5c9e1"]],
  ["meadow", ["#3f6212", "#fde68a"]],
  ["tomato", ["#b91c1c", "#f59e0b"]],
  ["bubbles", ["#3b1d5e", "#1f7a99"]],
]);
