# The dashboard as a server: not root, nothing to write but /tmp, its database elsewhere (docker-compose.yml).
FROM python:3.12-slim AS packages

# The CPU build of torch; set to "" for the GPU build of the default index.
ARG TORCH_INDEX_URL=https://download.pytorch.org/whl/cpu

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
COPY requirements.txt /tmp/requirements.txt
RUN python -m venv /opt/venv \
    && /opt/venv/bin/pip install ${TORCH_INDEX_URL:+--extra-index-url "$TORCH_INDEX_URL"} -r /tmp/requirements.txt

FROM python:3.12-slim

RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin chartcite
COPY --from=packages /opt/venv /opt/venv
WORKDIR /app
COPY .streamlit .streamlit
COPY core core
COPY app app
COPY db db
COPY data data
RUN /opt/venv/bin/python -m compileall -q app core

ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HF_HUB_OFFLINE=1
USER 10001
EXPOSE 8501
HEALTHCHECK --interval=15s --timeout=5s --start-period=180s --retries=4 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["python", "-m", "core", "run", "--host", "0.0.0.0"]
