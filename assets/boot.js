// Says what went wrong when the page cannot start. It watches only as long as #boot stands there:
// once the planner has taken its place, errors are the planner's own.
"use strict";

// What reads pasted commands comes when it is first asked for.
globalThis.pdCommands = async () => {
  const commands = await import("./pd-commands.js");
  await commands.default();
  return commands;
};

// The drawing that a button stands beside, as a picture of that scale.
addEventListener("click", async ({ target }) => {
  const scale = Number(target.dataset?.scale);
  if (!scale) return;
  const image = new Image();
  image.src = target.parentElement.querySelector("a").href;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width * scale;
  canvas.height = image.height * scale;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const link = document.createElement("a");
  link.download = "pd-map.png";
  link.href = canvas.toDataURL();
  link.click();
});

(() => {
  const explain = (problem, remedy) => {
    const status = document.querySelector("#boot [role=status]");
    if (!status) return; // Something was said before, or the planner runs.
    status.setAttribute("role", "alert");
    status.textContent = `The planner could not start: ${problem} ${remedy}`;
  };

  // A file that does not arrive is told by an event on its element, which only capturing hears.
  addEventListener("error", (event) => {
    if (event.target instanceof Element) {
      const file = event.target.src || event.target.href || "a part of it";
      explain(`${file} did not load.`, "Reload the page; if that does not help, its host lacks the file.");
    } else {
      explain(`${event.message}.`, "Reload the page; if that does not help, try a current browser.");
    }
  }, true);
  addEventListener("unhandledrejection", (event) => {
    explain(`${event.reason?.message ?? event.reason}.`, "Reload the page; if that does not help, try a current browser.");
  });
  addEventListener("DOMContentLoaded", () => {
    if (typeof WebAssembly === "undefined") {
      explain("this browser has no WebAssembly, or a setting forbids it.", "Allow WebAssembly for this page, or try another browser.");
    }
  });
})();
