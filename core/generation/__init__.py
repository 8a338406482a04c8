"""Answerers: `record` computes from typed facts, `llm` asks a model. Both write [ResourceType/id] after each claim."""
