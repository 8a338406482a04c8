"""Measuring ChartCite against questions with known truth."""
