"""The embedding model itself: what is stored and what is asked meet in one space, whatever way each was computed."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.embedding import DIMENSIONS, Embedder

pytestmark = pytest.mark.integration
ASKED = ["What is the latest HbA1c?", "Which medications is she taking for her asthma?", "eGFR"]


def test_a_question_has_the_vector_of_its_text(embedder: Embedder) -> None:
    stored = embedder.embed(ASKED)
    for text, vector in zip(ASKED, stored, strict=True):
        asked = embedder.embed_question(text)
        assert (asked.shape, asked.dtype) == ((DIMENSIONS,), np.float32)
        assert np.linalg.norm(asked) == pytest.approx(1, abs=1e-3)
        assert asked @ vector > 0.999
        assert np.argmax(stored @ asked) == ASKED.index(text)


def test_asking_leaves_the_threads_as_they_were(embedder: Embedder) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        embedder.embed_question(ASKED[0])
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_a_question_of_any_length_is_cut_not_refused(embedder: Embedder) -> None:
    assert embedder.embed_question("word " * 2_000).shape == (DIMENSIONS,)
    assert embedder.embed_question("").shape == (DIMENSIONS,)


def test_a_vector_depends_on_its_text_alone(embedder: Embedder) -> None:
    texts = [f"Laboratory observation: {'sodium ' * n}" for n in (1, 2, 3, 9, 40, 120, 300)]
    together = embedder.embed_corpus(texts)
    alone = [embedder.embed_corpus([t])[0] for t in reversed(texts)]
    assert all((a == b).all() for a, b in zip(together, reversed(alone), strict=True))
    assert (together * embedder.embed(texts)).sum(axis=1).min() > 0.999
