// Tells the developer of the page around this frame, in the console, of what its sandbox lacks and visitors may miss.
if (areFormsBlocked()) {
  console.warn(
    'The sandbox of this frame lacks "allow-forms". The chat sends by its script, and visitors for whom that does not load cannot answer.',
  );
}
if (self.origin === "null") {
  console.warn(
    'The sandbox of this frame lacks "allow-same-origin". The browser remembers no visitor, and a bot that only some sites may use refuses to start.',
  );
}

/** Nothing says which tokens a sandbox has. A form that is not allowed does not even begin to be submitted. */
function areFormsBlocked(): boolean {
  const form = document.createElement("form");
  let isBlocked = true;
  form.hidden = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    isBlocked = false;
  });
  document.body.append(form);
  form.requestSubmit();
  form.remove();
  return isBlocked;
}
