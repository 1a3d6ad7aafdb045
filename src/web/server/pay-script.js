// The provider's form on a payment page. Where its script did not load, the link to its hosted page is left.
(() => {
  const form = document.getElementById("pay");
  if (!form || !window.Stripe) return;
  const { secret, key, done, language } = form.dataset;
  const stripe = window.Stripe(key, { locale: language });
  const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "night" : "stripe";
  const elements = stripe.elements({ clientSecret: secret, appearance: { theme } });
  elements.create("payment").mount("#pay-fields");
  form.hidden = false;
  const doneUrl = new URL(done, location.href).href;
  const button = form.querySelector("button");
  const problem = document.getElementById("pay-problem");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    problem.textContent = "";
    const confirmParams = { return_url: doneUrl };
    const { error } = await stripe.confirmPayment({ elements, confirmParams, redirect: "if_required" });
    if (error) {
      problem.textContent = error.message;
      button.disabled = false;
    } else {
      location.replace(doneUrl);
    }
  });
})();
