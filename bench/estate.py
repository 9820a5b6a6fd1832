"""A made-up estate of any size: service files in the shape of model serving, for measuring growth."""

from __future__ import annotations

from pathlib import Path

_FILE = """\
name: pool-{file}
x-logging: &logging
  driver: json-file
  options: {{max-size: 50m, max-file: "3"}}
services:
{services}
volumes:
  model_cache:
configs:
  edge:
    content: |
      server {{ listen 80; location / {{ proxy_pass http://engine-{file}-0:8000; }} }}
"""
_SERVICE = """\
  engine-{file}-{index}:
    image: registry.example/engine@sha256:{digest}
    container_name: engine-{file}-{index}
    command: >
      python3 -m engine.server --model-path /models/acme/meadow-{index} --served-model-name acme/meadow-{index}
      --tp-size 4 --host 0.0.0.0 --port 8000
    environment:
      HF_HUB_OFFLINE: "1"
      LOG_LEVEL: ${{LOG_LEVEL:-info}}
    logging: *logging
    volumes: [model_cache:/models]
    healthcheck: {{test: ["CMD", "curl", "-f", "http://localhost:8000/health"], interval: 30s, start_period: 10m}}
    deploy: {{resources: {{reservations: {{devices: [{{driver: nvidia, device_ids: ["{gpu}"], capabilities: [gpu]}}]}}}}}}
    restart: unless-stopped
"""
PER_FILE = 25


def write_estate(folder: Path, services: int, per_file: int = PER_FILE) -> Path:
    """`services` services, so many to a file."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in range((services + per_file - 1) // per_file):
        there = min(per_file, services - file * per_file)
        blocks = [_SERVICE.format(file=file, index=i, digest=f"{i:02x}" * 32, gpu=i % 8) for i in range(there)]
        (folder / f"pool-{file}.yaml").write_text(_FILE.format(file=file, services="".join(blocks)))
    return folder
