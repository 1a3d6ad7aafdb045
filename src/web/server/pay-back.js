// A bank has led the visitor here from a form in a chat of this tab: back to it. This history entry becomes the chat's, with the session that it keeps.
(() => {
  const kept = sessionStorage.getItem("parley-paying");
  if (kept === null) return;
  sessionStorage.removeItem("parley-paying");
  const { page, state } = JSON.parse(kept);
  history.replaceState({ ...state, isBackFromPayment: true }, "", page);
  location.reload();
})();
