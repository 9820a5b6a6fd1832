"""More small Compose files: builds, hooks, resources, merges, includes and interpolation in their corners."""

from __future__ import annotations

from collections.abc import Mapping

SERVICE = "services:\n  s:\n    image: a\n"


def field(*lines: str) -> str:
    return SERVICE + "".join(f"    {line}\n" for line in lines)


def pair(first: str, second: str) -> Mapping[str, str]:
    return {"compose.yaml": first, "b.yaml": second}


MORE: Mapping[str, str | Mapping[str, str]] = {
    # builds
    "build-without-context": field("build: {dockerfile_inline: FROM x}"),
    "build-target-only": field("build: {target: t}"),
    "build-remote": field("build: https://example.org/r.git#main:sub"),
    "build-args-list": field("build: {context: ., args: [A=1, B]}"),
    "build-args-map": field("build: {context: ., args: {A: 1, B: true, C: }}"),
    "build-cache": field("build: {context: ., cache_from: [type=local], cache_to: [type=inline], no_cache: true}"),
    "build-contexts": field("build: {context: ., additional_contexts: {r: ./r, d: 'docker-image://x'}}"),
    "build-secrets": field("build: {context: ., secrets: [k]}") + "secrets: {k: {file: ./k}}\n",
    "build-ssh": field("build: {context: ., ssh: [default]}"),
    "build-platforms": field("build: {context: ., platforms: [linux/amd64]}"),
    "build-null": field("build:"),
    # hooks, providers, models
    "post-start": field("post_start: [{command: [a, b], user: root, privileged: true}]"),
    "pre-stop": field("pre_stop: [{command: 'a b', environment: [A=1]}]"),
    "provider": "services:\n  s:\n    provider: {type: x, options: {a: b, c: [d, e]}}\n",
    "models-short": "services: {s: {image: a, models: [m]}}\nmodels: {m: {model: ai/x}}\n",
    "models-long": "services: {s: {image: a, models: {m: {endpoint_var: E, model_var: M}}}}\nmodels: {m: {model: ai/x, context_size: 1024, runtime_flags: [-a]}}\n",
    "model-unknown": field("models: [m]"),
    "develop-watch": field(
        "build: .",
        "develop: {watch: [{path: ./src, action: sync, target: /src, ignore: [n/]}, {path: p, action: rebuild}]}",
    ),
    # resources
    "deploy-limits-too": field("deploy: {resources: {limits: {cpus: '0.5', memory: 1g, pids: 5}}}"),
    "deploy-number-cpus": field("deploy: {resources: {limits: {cpus: 0.5}}}"),
    "deploy-generic": field(
        "deploy: {resources: {reservations: {generic_resources: [{discrete_resource_spec: {kind: g, value: 2}}]}}}"
    ),
    "deploy-restart": field(
        "deploy: {restart_policy: {condition: on-failure, delay: 5s, max_attempts: 3, window: 2m}}"
    ),
    "deploy-update": field("deploy: {update_config: {parallelism: 2, delay: 10s, order: start-first}}"),
    "deploy-placement": field(
        "deploy: {placement: {constraints: [node.role==m], preferences: [{spread: a}], max_replicas_per_node: 1}}"
    ),
    "deploy-labels-list": field("deploy: {labels: [a=1, b]}"),
    "gpus-list": field("gpus: [{driver: nvidia, count: 2}]"),
    "gpus-all": field("gpus: all"),
    "device-count-all": field(
        "deploy: {resources: {reservations: {devices: [{driver: nvidia, count: all, capabilities: [gpu]}]}}}"
    ),
    "device-without-count": field(
        "deploy: {resources: {reservations: {devices: [{driver: nvidia, capabilities: [gpu]}]}}}"
    ),
    "blkio": field("blkio_config: {weight: 300, device_read_bps: [{path: /dev/sda, rate: 12mb}]}"),
    "ulimits-mixed": field("ulimits: {nproc: 5, nofile: {soft: 1, hard: 2}}"),
    "cpu-settings": field("cpus: 1.5", "cpu_shares: 10", "cpuset: '0,1'", "cpu_quota: 50000", "cpu_period: 100ms"),
    "memory-settings": field("mem_limit: 1g", "mem_reservation: 512m", "memswap_limit: -1"),
    "storage-opt": field("storage_opt: {size: 1G}"),
    # texts, lists and maps
    "environment-null": field("environment: {A: , B: '', C: 0, D: 1.50, E: true}"),
    "environment-list-equals": field("environment: ['A=b=c', 'D=', E]"),
    "labels-list-too": field("labels: [a=b, c]"),
    "annotations-list": field("annotations: [a=b]"),
    "extra-hosts-list": field("extra_hosts: ['a:1.2.3.4', 'b=::1', 'a:5.6.7.8']"),
    "extra-hosts-map": field("extra_hosts: {a: 1.2.3.4, b: [1.1.1.1, 2.2.2.2]}"),
    "sysctls-list": field("sysctls: [net.core.somaxconn=1024]"),
    "sysctls-map": field("sysctls: {net.core.somaxconn: 1024}"),
    "dns-text": field("dns: 8.8.8.8", "dns_search: a.example", "dns_opt: [use-vc]"),
    "tmpfs-list": field("tmpfs: [/a, '/b:size=64m']"),
    "cap": field("cap_add: [NET_ADMIN]", "cap_drop: [ALL]", "group_add: [video, 44]"),
    "logging-too": field("logging: {driver: json-file, options: {max-size: 10m, max-file: 3, compress: null}}"),
    "expose": field("expose: ['80', 81, 82-83]"),
    "links": field("links: ['t:db']", "external_links: [x]") + "  t: {image: b}\n",
    "network-mode-too": field("network_mode: 'service:t'") + "  t: {image: b}\n",
    "network-mode-and-networks": field("network_mode: host", "networks: [default]"),
    "pid-ipc": field("pid: host", "ipc: 'service:t'", "uts: host", "userns_mode: host") + "  t: {image: b}\n",
    "volumes-from": field("volumes_from: ['t:ro', 'container:x']") + "  t: {image: b}\n",
    "healthcheck-disable": field("healthcheck: {disable: true}"),
    "healthcheck-none": field("healthcheck: {test: [NONE]}"),
    "healthcheck-full": field(
        "healthcheck: {test: exit 0, interval: 90, timeout: 1m30s, retries: '3', start_period: 1h, start_interval: 5s}"
    ),
    "stop": field("stop_signal: SIGINT", "stop_grace_period: 1m"),
    "credential-spec": field("credential_spec: {config: c}") + "configs: {c: {file: ./c}}\n",
    "security": field("security_opt: ['no-new-privileges:true']", "read_only: true", "privileged: false"),
    "pull-policy": field("pull_policy: daily", "platform: linux/arm64", "runtime: nvidia", "isolation: default"),
    "mac-and-hostname": field("mac_address: '02:42:ac:11:00:02'", "hostname: h", "domainname: d"),
    "scale-and-replicas": field("scale: 2", "deploy: {replicas: 3}"),
    "scale-equal": field("scale: 2", "deploy: {replicas: 2}"),
    # networks, volumes, configs, secrets
    "network-full": SERVICE
    + "    networks: {n: {aliases: [x], ipv4_address: 10.0.0.2, priority: 5, gw_priority: 1}}\n"
    + "networks: {n: {driver: bridge, ipam: {config: [{subnet: 10.0.0.0/24, gateway: 10.0.0.1}]}, internal: true, labels: [a=b]}}\n",
    "network-external-name": field("networks: [n]") + "networks: {n: {external: true, name: shared}}\n",
    "network-external-old": field("networks: [n]") + "networks: {n: {external: {name: shared}}}\n",
    "network-external-driver": field("networks: [n]") + "networks: {n: {external: true, driver: bridge}}\n",
    "volume-external": field("volumes: ['v:/v']") + "volumes: {v: {external: true}}\n",
    "volume-nfs": field("volumes: ['v:/v']")
    + "volumes: {v: {driver_opts: {type: nfs, o: 'addr=1.2.3.4', device: ':/x'}}}\n",
    "volume-image": field("volumes: [{type: image, source: x, target: /t, image: {subpath: s}}]"),
    "volume-subpath": field("volumes: [{type: volume, source: v, target: /t, volume: {nocopy: true, subpath: s}}]")
    + "volumes: {v: }\n",
    "volume-flags": field("volumes: ['./a:/a:ro,z', './b:/b:rshared', 'v:/c:nocopy']") + "volumes: {v: }\n",
    "volume-home": field("volumes: ['~/a:/a']"),
    "config-content": field("configs: [c]") + 'configs: {c: {content: "x\\n$$y"}}\n',
    "config-environment": field("configs: [{source: c, target: /x, uid: '1', mode: 0440}]")
    + "configs: {c: {environment: HOME_LIKE}}\n",
    "secret-external": field("secrets: [k]") + "secrets: {k: {external: true}}\n",
    "secret-twice": field("secrets: [{source: k, target: a}, {source: k, target: b, mode: '0400'}]")
    + "secrets: {k: {file: ./k}}\n",
    "config-two-sources": field("configs: [c]") + "configs: {c: {file: ./c, content: x}}\n",
    # interpolation
    "nested-default": field("command: '${A:-${B:-c}}'"),
    "required-unset": field("command: '${A:?no A}'"),
    "alternative-too": field("command: 'x${A:+y}z ${A+q}'"),
    "dollar-escaped": field("command: '$$A $${B}'"),
    "bad-substitution": field("command: '${A'"),
    "number-by-default": field("mem_limit: ${M:-1g}", "cpus: ${C:-2}", "privileged: ${P:-true}"),
    "port-by-default": field("ports: ['${P:-8080}:80']"),
    "key-is-not-filled": field("labels: {'${A:-k}': v}"),
    "env-from-dotenv": {"compose.yaml": field("command: '$X ${Y}'"), ".env": "X=1\nY='a$X'\n"},
    # merges
    "merge-command": pair(field("command: a b"), "services: {s: {command: [c]}}\n"),
    "merge-ports": pair(field("ports: ['80:80']"), "services: {s: {ports: ['80:80', '81:81']}}\n"),
    "merge-volumes": pair(field("volumes: ['./a:/x']"), "services: {s: {volumes: ['./b:/x', './c:/y']}}\n"),
    "merge-environment": pair(field("environment: [A=1, B=2]"), "services: {s: {environment: {A: 3}}}\n"),
    "merge-healthcheck": pair(
        field("healthcheck: {test: exit 0, retries: 3}"), "services: {s: {healthcheck: {retries: 5}}}\n"
    ),
    "merge-logging": pair(
        field("logging: {driver: json-file, options: {max-size: 1m}}"),
        "services: {s: {logging: {driver: local, options: {max-file: '2'}}}}\n",
    ),
    "merge-depends": pair(
        field("depends_on: [t]") + "  t: {image: b}\n  u: {image: c}\n",
        "services: {s: {depends_on: {u: {condition: service_healthy}}}}\n",
    ),
    "merge-reset": pair(
        field("ports: ['80:80']", "command: x"), "services: {s: {ports: !reset [], command: !reset null}}\n"
    ),
    "merge-override": pair(field("ports: ['80:80']"), "services: {s: {ports: !override ['81:81']}}\n"),
    "merge-networks": pair(
        field("networks: [a]") + "networks: {a: , b: }\n", "services: {s: {networks: {b: {aliases: [x]}}}}\n"
    ),
    "merge-ulimits": pair(field("ulimits: {nofile: 5}"), "services: {s: {ulimits: {nofile: {soft: 1, hard: 2}}}}\n"),
    "merge-build": pair(field("build: ."), "services: {s: {build: {args: {A: 1}}}}\n"),
    "merge-configs": pair(
        field("configs: [c]") + "configs: {c: {content: x}}\n", "services: {s: {configs: [{source: c, target: /y}]}}\n"
    ),
    # extends and include
    "extends-chain": "services:\n  a: {image: a, environment: {A: 1}}\n  b: {extends: a, environment: {B: 2}}\n  c: {extends: {service: b}, environment: {A: 3}}\n",
    "extends-cycle-too": "services:\n  a: {image: a, extends: b}\n  b: {extends: a}\n",
    "extends-missing-too": "services:\n  a: {image: a, extends: {service: z}}\n",
    "extends-file-too": {
        "compose.yaml": "services: {s: {extends: {file: d/x.yaml, service: b}}}\n",
        "d/x.yaml": "services: {b: {image: b, volumes: ['./v:/v'], env_file: [{path: e, required: false}]}}\n",
    },
    "extends-depends": "services:\n  a: {image: a, depends_on: [z]}\n  b: {extends: a, image: b}\n  z: {image: z}\n",
    "include-short": {
        "compose.yaml": "include: [d/x.yaml]\n" + SERVICE,
        "d/x.yaml": "services: {t: {image: b, volumes: ['./v:/v']}}\nvolumes: {w: }\n",
    },
    "include-project-directory": {
        "compose.yaml": "include: [{path: d/x.yaml, project_directory: .}]\n" + SERVICE,
        "d/x.yaml": "services: {t: {image: b, volumes: ['./v:/v']}}\n",
    },
    "include-env-file": {
        "compose.yaml": "include: [{path: d/x.yaml, env_file: d/e}]\n" + SERVICE,
        "d/x.yaml": "services: {t: {image: 'b:${V}'}}\n",
        "d/e": "V=7\n",
    },
    "include-conflict": {
        "compose.yaml": "include: [d/x.yaml]\n" + SERVICE,
        "d/x.yaml": "services: {s: {image: other}}\n",
    },
    "include-several": {
        "compose.yaml": "include: [{path: [d/x.yaml, d/y.yaml]}]\n" + SERVICE,
        "d/x.yaml": "services: {t: {image: b}}\n",
        "d/y.yaml": "services: {t: {command: c}}\n",
    },
    "env-file-optional": field("env_file: [{path: none.env, required: false}]"),
    "env-file-values": {"compose.yaml": field("env_file: e", "environment: {B: 9}"), "e": "A=1\nB=2\n# c\nC='x y'\n"},
    "label-file": {"compose.yaml": field("label_file: l", "labels: {a: b}"), "l": "a=1\nc=2\n"},
    # faults
    "depends-cycle": "services:\n  a: {image: a, depends_on: [b]}\n  b: {image: b, depends_on: [a]}\n",
    "depends-unknown": field("depends_on: [z]"),
    "depends-optional": field("depends_on: {z: {condition: service_started, required: false}}"),
    "bad-condition-too": field("depends_on: {t: {condition: ready}}") + "  t: {image: b}\n",
    "unknown-key": field("imagee: x"),
    "extension-key": field("x-note: x") + "x-top: {a: b}\n",
    "anchors": "x-c: &c {image: a, init: true}\nservices: {s: {<<: *c, init: false}}\n",
    "anchors-list": "x-a: &a {image: a}\nx-b: &b {command: c}\nservices: {s: {<<: [*a, *b]}}\n",
    "duplicate-key-too": "services:\n  s: {image: a, image: b}\n",
    "name-bad": "name: Not_Valid!\n" + SERVICE,
    "profiles-unknown-dependency": field("depends_on: [t]") + "  t: {image: b, profiles: [p]}\n",
    "two-documents-too": SERVICE + "---\nservices: {s: {command: x}}\n",
}
