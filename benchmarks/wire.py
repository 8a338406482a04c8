"""A dashboard session without a browser: Streamlit's own protocol over its WebSocket; twenty cost next to nothing."""

from __future__ import annotations

from types import TracebackType
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect


class Session:
    """One session. `run` shows a view and returns all HTML of it; headers are those of the handshake."""

    def __init__(self, dashboard: str, headers: dict[str, str] | None = None, timeout: float = 60.0) -> None:
        address = dashboard.replace("http://", "ws://", 1)
        self._timeout = timeout
        self._connection = connect(
            f"{address}/_stcore/stream",
            additional_headers=headers,
            origin=dashboard,  # type: ignore[arg-type]
            subprotocols=["streamlit"],  # type: ignore[list-item]
            max_size=None,
        )

    def __enter__(self) -> Session:
        self._socket = self._connection.__enter__()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._socket.close()

    def run(self, **query: str) -> str:
        """Show the view with these query parameters; the HTML and Markdown of every element of it, joined."""
        message = BackMsg()
        message.rerun_script.query_string = urlencode(query)
        self._socket.send(message.SerializeToString())
        shown = []
        while True:
            received = ForwardMsg()
            received.ParseFromString(bytes(self._socket.recv(self._timeout)))
            kind = received.WhichOneof("type")
            if kind == "delta" and received.delta.WhichOneof("type") == "new_element":
                element = received.delta.new_element
                shown.append(str(getattr(element, element.WhichOneof("type") or "empty")))
            elif kind == "script_finished":
                return "\n".join(shown)
