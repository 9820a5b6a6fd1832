"""What a run says in its own log: our sentences, foreign words made harmless, each on its own line."""

from __future__ import annotations

import sys

from bot.review.escape import plain


def say(text: str) -> None:
    """One line. Workflow commands count in any line of a log: no text of ours or others may form one."""
    line = plain(text).replace("##[", "# #[").replace("::", ": :")
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
