"""The page's only script: it goes to a chart point's card, and tells Python whose JSON is asked for.

It reads element ids and resource ids only, never record text, and loads nothing.
"""

from __future__ import annotations

import streamlit as st

_SCRIPT = """
let gone = "";
export default function ({ data, setTriggerValue }) {
  const show = (event) => {
    const button = event.target.closest("button[data-resource]");
    if (button) setTriggerValue("resource", button.dataset.resource);
  };
  document.addEventListener("click", show);
  // The buttons are hidden until somebody listens: a click is never lost (theme.css).
  document.documentElement.dataset.bridge = "listening";
  const wanted = `${data.answer} ${data.element}`;
  if (data.element && gone !== wanted) {
    // replaceState first, so that the same card can be the target again.
    history.replaceState(history.state, "", location.pathname + location.search);
    location.hash = data.element;
  }
  gone = wanted;
  return () => {
    document.removeEventListener("click", show);
    delete document.documentElement.dataset.bridge;
  };
}
"""
_mount = st.components.v2.component("chartcite_bridge", js=_SCRIPT)


def bridge(element: str, answer: str) -> str:
    """Make `element` the page's target ("" leaves it alone); returns the resource whose JSON is wanted."""
    data = {"element": element, "answer": answer}
    found = _mount(key=f"bridge-{answer}", data=data, on_resource_change=_kept)
    return str(found.resource or "")


def _kept() -> None:
    """Streamlit reports a trigger only where it has a callback; the value is read from the component."""
