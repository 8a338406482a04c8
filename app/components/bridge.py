"""The page's only script: it tells Python which resource's button was pressed, and follows the page's own links.

It reads what stands in a button's or a link's attributes (ids, addresses), never record text, and loads nothing.
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
_mount = st.components.v2.component("chartcite_bridge", js=_SCRIPT)


def pressed(listen: str, key: str) -> str:
    """What the button with `data-<listen>` that was just pressed holds, "" when none was."""
    found = _mount(key=f"bridge-{listen}-{key}", data={"listen": listen}, on_pressed_change=_kept)
    return str(found.pressed or "")


def _kept() -> None:
    """Streamlit reports a trigger only where it has a callback; the value is read from the component."""
