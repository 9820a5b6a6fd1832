"""The names that expressions may use: roots, and the fields right below them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Compose's own keys of a service, in their canonical form.
# fmt: off
COMPOSE_SERVICE = (
    "annotations", "attach", "blkio_config", "build", "cap_add", "cap_drop", "cgroup", "cgroup_parent", "command",
    "configs", "container_name", "cpu_count", "cpu_percent", "cpu_period", "cpu_quota", "cpu_rt_period",
    "cpu_rt_runtime", "cpu_shares", "cpus", "cpuset", "credential_spec", "depends_on", "deploy", "develop",
    "device_cgroup_rules", "devices", "dns", "dns_opt", "dns_search", "domainname", "entrypoint", "env_file",
    "environment", "expose", "extends", "external_links", "extra_hosts", "gpus", "group_add", "healthcheck",
    "hostname", "image", "init", "ipc", "isolation", "label_file", "labels", "links", "logging", "mac_address",
    "mem_limit", "mem_reservation", "mem_swappiness", "memswap_limit", "models", "network_mode", "networks",
    "oom_kill_disable", "oom_score_adj", "pid", "pids_limit", "platform", "ports", "post_start", "pre_stop",
    "privileged", "profiles", "provider", "pull_policy", "pull_refresh_after", "read_only", "restart", "runtime",
    "scale", "secrets", "security_opt", "shm_size", "stdin_open", "stop_grace_period", "stop_signal", "storage_opt",
    "sysctls", "tmpfs", "tty", "ulimits", "use_api_socket", "user", "userns_mode", "uts", "volumes", "volumes_from",
    "working_dir",
)
# fmt: on

# What a service has although nobody wrote it.
SERVICE_DEFAULTS: Mapping[str, Any] = {
    "image": "",
    "container_name": "",
    "restart": "no",
    "privileged": False,
    **{name: {} for name in ("environment", "labels", "depends_on", "networks")},
    **{name: [] for name in ("command", "entrypoint", "ports", "volumes", "configs", "secrets", "profiles")},
}

# What is read from its command lines, variables and inline configs.
FACTS = ("role", "image_ref", "commands", "downloads", "snapshots", "serves", "upstreams", "scrapes", "gpus")
OF_SERVICE = ("name", "written", "form", "bodies", "awaits", *FACTS)

SECTIONS = ("configs", "volumes", "networks", "secrets")
FILE = ("path", "folder", "project", "files", "service_names", "services", *SECTIONS, "variables")
CONFIG = ("name", "full_name", "content", "written", "file", "environment", "external", "labels")
VOLUME = ("name", "full_name", "external", "driver", "driver_opts", "labels")

FIELDS: Mapping[str, tuple[str, ...]] = {
    "service": (*OF_SERVICE, *COMPOSE_SERVICE),
    "file": FILE,
    "config": CONFIG,
    "volume": VOLUME,
    "estate": ("files",),
}
