"""The page's only scripts: which button was pressed, the page's own links followed, an answer copied.

Python is told what stands in a button's or a link's attributes (ids, addresses), never record text. Nothing is loaded.
"""

from __future__ import annotations

import streamlit as st

_SCRIPT = """
export default function ({ data, setTriggerValue }) {
  const tell = (event) => {
    const found = event.target.closest(`[data-${data.listen}]`);
    if (!found || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (found.tagName === "A") event.preventDefault();
    setTriggerValue("pressed", found.dataset[data.listen] || found.getAttribute("href"));
  };
  document.addEventListener("click", tell);
  // Buttons are hidden until somebody listens: a click is never lost (theme.css). A link works by itself meanwhile.
  const root = document.documentElement.dataset;
  root[`${data.listen}Heard`] = "yes";
  return () => {
    document.removeEventListener("click", tell);
    delete root[`${data.listen}Heard`];
  };
}
"""
_COPY = """
export default function ({ data }) {
  const copy = async (event) => {
    const button = event.target.closest("button[data-copy]");
    if (!button) return;
    await navigator.clipboard.writeText(data.text);
    button.textContent = "Copied";
  };
  document.addEventListener("click", copy);
  document.documentElement.dataset.copyHeard = "yes";
  return () => {
    document.removeEventListener("click", copy);
    delete document.documentElement.dataset.copyHeard;
  };
}
"""
_mount = st.components.v2.component("chartcite_bridge", js=_SCRIPT)
_mount_copy = st.components.v2.component("chartcite_copy", js=_COPY)


def pressed(listen: str, key: str) -> str:
    """What the button with `data-<listen>` that was just pressed holds, "" when none was."""
    found = _mount(key=f"bridge-{listen}-{key}", data={"listen": listen}, on_pressed_change=_kept)
    return str(found.pressed or "")


def copier(text: str, key: str) -> None:
    """Put `text` on the clipboard when a `data-copy` button is pressed; it goes nowhere else."""
    _mount_copy(key=f"bridge-copy-{key}", data={"text": text})


def _kept() -> None:
    """Streamlit reports a trigger only where it has a callback; the value is read from the component."""
