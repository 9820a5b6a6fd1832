"""Small Compose files, one thing each, that are put to the real docker compose and to our loader."""

from __future__ import annotations

from collections.abc import Mapping

SERVICE = "services:\n  s:\n    image: a\n"


def field(*lines: str) -> str:
    return SERVICE + "".join(f"    {line}\n" for line in lines)


# name -> one file, or several: `compose.yaml` is loaded first, further `-f` files in the order of their names `b.yaml`, `c.yaml`.
INPUTS: Mapping[str, str | Mapping[str, str]] = {
    # forms of one service's fields
    "ports-short": field("ports: ['80', '8080:80', '127.0.0.1:8081:81/udp', '9000-9001:90-91']"),
    "ports-long": field("ports: [{target: 80, published: '8080', protocol: tcp, mode: host}]"),
    "volumes-short": field("volumes: ['./a:/a', 'data:/d:ro', '/anonymous']") + "volumes: {data: {}}\n",
    "volumes-long": field("volumes: [{type: tmpfs, target: /t, tmpfs: {size: 10m}}]"),
    "environment-list": field("environment: ['A=1', 'B=', 'C']"),
    "environment-map": field("environment: {A: 1, B: '', C: null, D: 1.10, E: 0777, F: yes, G: 1e3}"),
    "labels-list": field("labels: ['a=1', 'b']"),
    "command-text": field("command: sh -c 'echo \"a b\" $$HOME'"),
    "command-list": field("command: [sh, -c, 'echo a']"),
    "entrypoint-empty": field("entrypoint: ['']"),
    "healthcheck-text": field(
        "healthcheck: {test: curl -f x, interval: 90s, timeout: 1m30s, retries: 3, start_period: 1h}"
    ),
    "healthcheck-off": field("healthcheck: {disable: true}"),
    "depends-list": field("depends_on: [t]") + "  t: {image: b}\n",
    "depends-map": field("depends_on: {t: {condition: service_healthy, restart: true, required: false}}")
    + "  t: {image: b}\n",
    "networks-list": field("networks: [n]") + "networks: {n: {driver: bridge}}\n",
    "networks-map": field("networks: {n: {aliases: [x], ipv4_address: 10.0.0.2}}")
    + "networks: {n: {ipam: {config: [{subnet: 10.0.0.0/24}]}}}\n",
    "network-mode": field("network_mode: host"),
    "build-text": "services: {s: {build: ./x}}\n",
    "build-map": "services: {s: {build: {context: x, args: ['A=1'], target: t}}}\n",
    "ulimits": field("ulimits: {nproc: 10, nofile: {soft: 1, hard: 2}}"),
    "sizes": field("mem_limit: 512m", "shm_size: 2gb"),
    "grace": field("stop_grace_period: 1m30s"),
    "extra-hosts": field("extra_hosts: ['a:10.0.0.1', 'b=10.0.0.2']"),
    "sysctls": field("sysctls: ['net.core.somaxconn=1024']"),
    "tmpfs": field("tmpfs: /run"),
    "dns": field("dns: 1.1.1.1", "dns_search: [a.example]"),
    "logging": field("logging: {driver: json-file, options: {max-size: 10m, max-file: 3}}"),
    "devices-gpu": field(
        "deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ['0', '1'], capabilities: [gpu]}]}}}"
    ),
    "deploy-limits": field("deploy: {replicas: 2, resources: {limits: {cpus: '0.5', memory: 1g}}}"),
    "configs": field("configs: [c, {source: c, target: /x, mode: 0440}]") + "configs: {c: {content: 'a: $${B}'}}\n",
    "secrets": field("secrets: [k]") + "secrets: {k: {environment: KEY}}\n",
    "init-and-restart": field("init: true", "restart: unless-stopped", "privileged: false"),
    "ipc": field("ipc: host", "pid: host", "cap_add: [SYS_ADMIN]", "security_opt: ['seccomp:unconfined']"),
    "develop": field("develop: {watch: [{path: ., action: rebuild}]}"),
    # interpolation
    "default": field("environment: {A: '${NONE:-d}', B: '${NONE-e}', C: '${NONE:-${OTHER:-f}}'}"),
    "alternative": field("environment: {A: '${NONE:+x}', B: '${NONE+x}'}"),
    "dollars": field("command: [echo, '$$HOME', '$(id)', '$5', 'a$']"),
    "required": field("environment: {A: '${NONE:?please set it}'}"),
    "bad-template": field("environment: {A: '${1A}'}"),
    "cast": field("privileged: '${NONE:-true}'", "mem_swappiness: ${NONE:-3}"),
    "dotenv": {"compose.yaml": field("environment: {A: '${A}', B: $B}"), ".env": "A='x y'\nexport B=${A}z # c\n"},
    # YAML
    "anchor": "x-a: &a {image: a, restart: always}\nservices: {s: {<<: *a, restart: 'no'}}\n",
    "anchor-list": "x-a: &a {image: a}\nx-b: &b {image: b, init: true}\nservices: {s: {<<: [*a, *b]}}\n",
    "duplicate-key": "services:\n  s:\n    image: a\n    image: b\n",
    "two-documents": field("labels: {a: '1'}") + "---\nservices: {s: {labels: {b: '2'}}}\n",
    "flow-colon": "services: {s: {image: nginx:1.25}}\n",
    "empty": "",
    "tab": "services:\n\ts: {image: a}\n",
    "block-scalars": field("command:", "  - |", "    a", "    b", "  - >-", "    c", "    d"),
    # several files
    "merge": {
        "compose.yaml": field("command: a", "environment: {A: '1', B: '2'}", "ports: ['80:80']", "labels: {x: '1'}"),
        "b.yaml": "services: {s: {command: b, environment: ['B=3'], ports: ['81:81'], labels: ['y=2']}}\n",
    },
    "merge-mounts": {
        "compose.yaml": field("volumes: ['./a:/x', './b:/y']", "networks: [default]"),
        "b.yaml": "services: {s: {volumes: ['./c:/x'], networks: {default: {aliases: [z]}}}}\n",
    },
    "reset": {
        "compose.yaml": field("ports: ['80:80']", "environment: {A: '1', B: '2'}"),
        "b.yaml": "services: {s: {ports: !reset [], environment: {A: !reset null}}}\n",
    },
    "override": {
        "compose.yaml": field("ports: ['80:80']", "command: [a]"),
        "b.yaml": "services: {s: {ports: !override ['81:81']}}\n",
    },
    "extends-same": field("labels: {a: '1'}") + "  t: {extends: s, labels: {b: '2'}}\n",
    "extends-file": {
        "compose.yaml": "services: {s: {extends: {file: x/common.yaml, service: base}, init: true}}\n",
        "x/common.yaml": "services: {base: {image: a, volumes: ['./d:/d'], command: c}}\n",
    },
    "extends-cycle": "services: {s: {extends: t}, t: {extends: s}}\n",
    "extends-missing": "services: {s: {extends: {service: none}}}\n",
    "include": {
        "compose.yaml": "include: [x/other.yaml]\n" + SERVICE,
        "x/other.yaml": "services: {t: {image: b, volumes: ['./e:/e']}}\n",
    },
    "include-long": {
        "compose.yaml": "include: [{path: x/other.yaml, project_directory: ., env_file: x/v.env}]\n" + SERVICE,
        "x/other.yaml": "services: {t: {image: 'b:${V}', volumes: ['./e:/e']}}\n",
        "x/v.env": "V=7\n",
    },
    "env-file": {"compose.yaml": field("env_file: v.env", "environment: {B: '2'}"), "v.env": "A=1\nB=1\n"},
    "env-file-missing": field("env_file: none.env"),
    "profiles": field("profiles: [debug]") + "  t: {image: b}\n",
    "name": "name: other\n" + SERVICE,
    # what is refused
    "undefined-network": field("networks: [n]"),
    "undefined-volume": field("volumes: ['data:/d']"),
    "undefined-config": field("configs: [c]"),
    "undefined-secret": field("secrets: [k]"),
    "undefined-service": field("depends_on: [t]"),
    "cycle": "services: {s: {image: a, depends_on: [t]}, t: {image: b, depends_on: [s]}}\n",
    "unknown-field": field("imagee: b"),
    "unknown-top": SERVICE + "service: {}\n",
    "bad-condition": field("depends_on: {t: {condition: service_ready}}") + "  t: {image: b}\n",
    "bad-duration": field("stop_grace_period: 300"),
    "bad-port": field("ports: ['99999:80']"),
    "bad-size": field("mem_limit: 5x"),
    "bad-restart-type": field("restart: [always]"),
    "same-container-name": field("container_name: x") + "  t: {image: b, container_name: x}\n",
    "no-image": "services: {s: {init: true}}\n",
    "services-list": "services: [a]\n",
    "null-service": "services: {s: null}\n",
    "gpu-count-and-ids": field(
        "deploy: {resources: {reservations: {devices: [{count: 1, device_ids: ['0'], capabilities: [gpu]}]}}}"
    ),
}
