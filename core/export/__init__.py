"""An answer taken out of ChartCite: a page to print, Markdown, a FHIR document. Each names its sources and its verdict."""
