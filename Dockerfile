# The action's image: Python, our dependencies, Git and what these load, and nothing else. No shell, no package
# manager, no installer, no compiler. Build it with any image of Debian's family that has Python 3.11 or newer
# with `venv`: --build-arg PYTHON=…
#
# A release's tag, not a digest: no digest can be told here. Renovate (renovate.json) pins it, and keeps it so.
ARG PYTHON=docker.io/library/python:3.13-slim-trixie

FROM ${PYTHON} AS build

# Git's newest build of that Debian release, as security updates bring it; the image lists which one it is.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends git \
 && rm -rf /var/lib/apt/lists/*

RUN python3 -m venv /opt/compose-review
ENV PATH=/opt/compose-review/bin:$PATH

WORKDIR /build
COPY requirements.lock ./
# Wheels alone: nothing that was downloaded is run to be installed. Their hashes stand in the lock.
RUN pip install --no-cache-dir --no-compile --only-binary :all: --require-hashes --requirement requirements.lock

COPY image/root.py image/
COPY bot bot/
COPY rules rules/
RUN cp -R bot rules "$(python3 -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/" \
 && python3 image/root.py /image

FROM scratch

COPY --from=build /image /

ENV PATH=/usr/local/bin:/usr/bin LANG=C.UTF-8

LABEL org.opencontainers.image.title="Compose Review" \
      org.opencontainers.image.licenses="Apache-2.0"

# No USER and no WORKDIR: GitHub runs its actions as root, in a workspace that it mounts.
# -I: the working folder holds the files under review. Neither they nor a variable may name a module to import.
ENTRYPOINT ["/opt/compose-review/bin/python3", "-I", "-m", "bot"]
CMD ["action"]
