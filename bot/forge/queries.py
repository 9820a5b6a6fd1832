"""The GraphQL documents. Foreign values go in as variables, never into the text."""

from __future__ import annotations

_COMMENTS = """
  pageInfo { hasNextPage endCursor }
  nodes { databaseId url body author { login } editor { login } }
"""
# What has happened to base and head: heads that were pushed away, bases that were others, a base that was deleted.
_HISTORY = """
  closedAt mergeCommit { oid } autoMergeRequest { enabledAt } isInMergeQueue
  latestOpinionatedReviews(first: 20) { nodes { state } }
  timelineItems(last: 20, itemTypes: [HEAD_REF_FORCE_PUSHED_EVENT, BASE_REF_CHANGED_EVENT,
    AUTOMATIC_BASE_CHANGE_SUCCEEDED_EVENT, BASE_REF_DELETED_EVENT]) {
    nodes {
      __typename
      ... on HeadRefForcePushedEvent { beforeCommit { oid } }
      ... on BaseRefChangedEvent { previousRefName }
      ... on AutomaticBaseChangeSucceededEvent { oldBase }
      ... on BaseRefDeletedEvent { createdAt }
    }
  }
"""
_REF = f"""
  number title state isDraft author {{ login }} baseRefName headRefName headRefOid
  headRepository {{ nameWithOwner }} {_HISTORY}
"""

# Pull requests that start from a branch, and those that want into one. Both may be many; 50 is beyond any stack.
_NEIGHBOURS = f"""
    parents: pullRequests(headRefName: $base, first: 10, orderBy: {{field: CREATED_AT, direction: DESC}}) {{
      nodes {{ {_REF} }}
    }}
    children: pullRequests(baseRefName: $head, first: 50, orderBy: {{field: CREATED_AT, direction: ASC}}) {{
      nodes {{ {_REF} }}
    }}
"""

# One pull request with all that a review needs to know of it and around it.
PULL = f"""
query Pull($owner: String!, $name: String!, $number: Int!, $base: String!, $head: String!) {{
  viewer {{ login }}
  repository(owner: $owner, name: $name) {{
    nameWithOwner deleteBranchOnMerge mergeCommitAllowed squashMergeAllowed rebaseMergeAllowed
    defaultBranchRef {{ name target {{ oid }} }}
    {_NEIGHBOURS}
    pullRequest(number: $number) {{
      id number title body state isDraft isCrossRepository mergeable
      author {{ login }} baseRefName headRefName headRefOid headRepository {{ nameWithOwner }}
      baseRefOid baseRef {{ target {{ oid }} }} {_HISTORY}
      oldest: commits(first: 1) {{ nodes {{ commit {{
        oid associatedPullRequests(first: 10) {{ nodes {{ {_REF} }} }}
      }} }} }}
      potentialMergeCommit {{ oid parents(first: 2) {{ nodes {{ oid }} }} }}
      reactionGroups {{ content viewerHasReacted }}
      labels(first: 50) {{ nodes {{ name }} }}
      comments(first: 100) {{ {_COMMENTS} }}
      reviewThreads(first: 100) {{
        nodes {{ id isResolved isOutdated path comments(first: 2) {{ totalCount nodes {{ body author {{ login }} }} }} }}
      }}
      commits(last: 1) {{ nodes {{ commit {{ statusCheckRollup {{ contexts(first: 100) {{
        nodes {{
          __typename
          ... on StatusContext {{ context state description }}
          ... on CheckRun {{ name status conclusion }}
        }}
      }} }} }} }} }}
    }}
  }}
}}
"""

COMMENTS = f"""
query Comments($owner: String!, $name: String!, $number: Int!, $after: String) {{
  viewer {{ login }}
  repository(owner: $owner, name: $name) {{
    pullRequest(number: $number) {{
      headRefOid baseRefName state
      comments(first: 100, after: $after) {{ {_COMMENTS} }}
    }}
  }}
}}
"""

# Those that start from a branch or want into it: further up and further down a stack.
AROUND = f"""
query Around($owner: String!, $name: String!, $branch: String!) {{
  repository(owner: $owner, name: $name) {{
    parents: pullRequests(headRefName: $branch, first: 10, orderBy: {{field: CREATED_AT, direction: DESC}}) {{
      nodes {{ {_REF} }}
    }}
    children: pullRequests(baseRefName: $branch, states: [OPEN], first: 10) {{ nodes {{ {_REF} }} }}
  }}
}}
"""

# Those that hold one commit.
HOLDING = f"""
query Holding($owner: String!, $name: String!, $commit: GitObjectID!) {{
  repository(owner: $owner, name: $name) {{
    object(oid: $commit) {{ ... on Commit {{ associatedPullRequests(first: 10) {{ nodes {{ {_REF} }} }} }} }}
  }}
}}
"""

# All that a sweep must look at: open pull requests, and what the lately merged ones still wait for.
SWEEP = """
query Sweep($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    nameWithOwner
    defaultBranchRef { name target { oid } }
    open: pullRequests(states: [OPEN], first: 100, orderBy: {field: UPDATED_AT, direction: DESC}) {
      nodes { number baseRefName }
    }
    merged: pullRequests(states: [MERGED], first: 20, orderBy: {field: UPDATED_AT, direction: DESC}) {
      nodes { number comments(first: 20) { nodes { databaseId url body author { login } editor { login } } } }
    }
  }
  viewer { login }
}
"""

# The same neighbours, when the branches were not known before.
NEIGHBOURS = f"""
query Neighbours($owner: String!, $name: String!, $base: String!, $head: String!) {{
  repository(owner: $owner, name: $name) {{ {_NEIGHBOURS} }}
}}
"""

REMOVE_REACTION = """
mutation Remove($subject: ID!, $content: ReactionContent!) {
  removeReaction(input: {subjectId: $subject, content: $content}) { reaction { content } }
}
"""

RESOLVE = """
mutation Resolve($thread: ID!) { resolveReviewThread(input: {threadId: $thread}) { thread { id isResolved } } }
"""


def blobs(count: int) -> str:
    """A query for so many blobs by object name: `$owner`, `$name`, `$o0` …; the answers are `b0` …"""
    parameters = ", ".join(f"$o{number}: GitObjectID!" for number in range(count))
    fields = "\n".join(
        f"    b{number}: object(oid: $o{number}) {{ ... on Blob {{ oid byteSize isBinary isTruncated text }} }}"
        for number in range(count)
    )
    return (
        f"query Blobs($owner: String!, $name: String!, {parameters}) {{\n"
        f"  repository(owner: $owner, name: $name) {{\n{fields}\n  }}\n}}\n"
    )
