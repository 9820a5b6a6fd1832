"""What a stack asks of GitHub and what the fake answers, held against GitHub's own description."""

from __future__ import annotations

from tests.official.described import answer_faults, described, request_faults
from tests.stack.github import Site
from tests.stack.shapes import stacked


def test_every_call_for_a_stack_is_one_that_github_describes(hosted: Site) -> None:
    described("openapi.json")
    lab = hosted.lab
    stacked(lab)
    hosted.told(1, "opened")
    hosted.told(2, "opened")
    lab.commit("a", {"a2.yaml": "a: 9\n"}, "anew", on="a~1", at=lab.date("a"))
    lab.commit("c", {"c1.yaml": "c: 1\n"}, "c1", on="b")
    lab.open(3, "c", "b")
    lab.merge(1, "squash")
    hosted.told(1, "closed")
    lab.retarget(2, "main")
    lab.delete("a")
    hosted.swept()
    hosted.told(3, "synchronize")
    faults, routes = [], set()
    for call in hosted.hub.log:
        if call.route != "/graphql":
            routes.add(call.route.rsplit("}/", 1)[-1])
            faults += request_faults(call.method, call.route, call.query, call.body)
            faults += answer_faults(call.method, call.route, call.status, call.answer)
    assert {"{basehead}", "{ref}", "{branch}"} <= {route.split("/")[-1] for route in routes}
    assert not faults, "\n".join(dict.fromkeys(faults))
